"""What cloud, secret and database tools do."""

from __future__ import annotations

LOOKS = r"""
terraform validate
terraform version
terraform state list
terraform show
terraform output -json
aws --version
gpg --list-keys
openssl rand -hex 16
openssl version
psql --version
terraform graph
terraform providers
terraform workspace list
terraform -help
openssl passwd -6 x
gpg --version
gpg --fingerprint
"""
WORKS_HERE = r"""
terraform fmt
terraform fmt -check -recursive
cdk synth
packer validate x
"""
EFFECTS: list[tuple[str, list[str]]] = [
    ("terraform plan", ["risk terraform.network"]),
    ("terraform plan -out=/tmp/p", ["write /tmp/p", "risk terraform.network"]),
    ("terraform init", ["risk terraform.network"]),
    ("terraform apply -auto-approve", ["risk terraform.apply"]),
    ("terraform destroy", ["risk terraform.destroy"]),
    ("terraform apply -destroy", ["risk terraform.destroy"]),
    ("terraform -chdir=infra validate", ["command terraform validate"]),
    ("terraform state rm x", ["risk terraform.state"]),
    ("tofu plan", ["risk terraform.network"]),
    ("pulumi up", ["risk pulumi.apply"]),
    ("pulumi preview", ["risk pulumi.network"]),
    ("ansible-playbook x.yml", ["risk ansible-playbook.network"]),
    ("ansible all -m shell -a id", ["risk ansible.network"]),
    ("aws s3 ls", ["risk aws.network"]),
    ("gcloud auth login", ["risk gcloud.login"]),
    ("gcloud config list", ["risk gcloud.network"]),
    ("az login", ["risk az.login"]),
    ("heroku logs", ["risk heroku.network"]),
    ("vercel deploy", ["risk vercel.deploy"]),
    ("vercel", ["risk vercel.network"]),
    ("cdk deploy", ["risk cdk.deploy"]),
    ("cdk --app 'sh -c id' synth", ["script sh -c id", "write ."]),
    ("vault read x", ["risk vault.secrets"]),
    ("op read x", ["risk op.secrets"]),
    ("pass show x", ["risk pass.secrets"]),
    ("gpg --verify a.sig a", ["read a.sig", "read a"]),
    ("gpg -d x.gpg", ["risk gpg.keys", "read x.gpg"]),
    ("gpg --recv-keys x", ["risk gpg.network", "read x"]),
    ("gpg --export-secret-keys", ["risk gpg.keys"]),
    ("sops -d x", ["risk sops.use"]),
    ("openssl s_client -connect x:443", ["risk openssl.network"]),
    ("openssl enc -aes-256-cbc -in a -out b", ["read a", "write b"]),
    ("openssl genrsa -out key.pem 2048", ["write key.pem"]),
    (
        "openssl req -x509 -newkey rsa:4096 -keyout key.pem -out cert.pem -days 365 -nodes",
        ["write key.pem", "write cert.pem"],
    ),
    ("openssl x509 -in cert.pem -text -noout", ["read cert.pem"]),
    ("openssl dgst -sha256 a", ["read a"]),
    ("openssl sha256 a", ["read a"]),
    ("openssl req -engine ./x.so", ["risk openssl.argument"]),
    ("openssl", ["risk openssl.commands"]),
    ("ssh-keygen -t ed25519", ["risk ssh-keygen.key"]),
    ("ssh-keygen -t ed25519 -f key -N ''", ["write key"]),
    ("ssh-keygen -lf key.pub", ["read key.pub"]),
    ("ssh-keygen -D ./x.so", ["program ./x.so", "risk ssh-keygen.key"]),
    ("keytool -list -keystore x", ["write .", "write x"]),
    ("certbot certonly", ["risk certbot.network"]),
    ("psql -c 'select 1'", ["risk psql.client"]),
    ("psql -c '\\! id'", ["risk psql.client", "script  id"]),
    ("mysql -e 'system id'", ["risk mysql.client", "script id"]),
    ("mysql --pager='sh -c id'", ["risk mysql.client", "script sh -c id"]),
    ("redis-cli ping", ["risk database.client"]),
    ("mongosh", ["risk database.client"]),
    ("pg_dump -f /tmp/x db", ["risk database.client", "write /tmp/x"]),
    ("openssl base64 -in a", ["read a"]),
    ("ssh-keygen -y -f key", ["read key"]),
    ("ssh-keygen -R host -f known", ["write known"]),
    ("terraform $x", ["risk terraform.unknown"]),
    ("openssl enc -d -in ~/.ssh/id_rsa", ["read /home/dev/.ssh/id_rsa"]),
]
