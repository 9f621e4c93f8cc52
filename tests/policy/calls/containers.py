"""What container engines and cluster tools do."""

from __future__ import annotations

LOOKS = r"""
docker ps
docker ps -a
docker images
docker logs -f x
docker inspect x
docker version
docker info
docker compose ps
docker compose config
docker-compose ps
docker system df
docker volume ls
docker network ls
docker image ls
docker container ls
docker context ls
docker stats --no-stream
kubectl config current-context
minikube status
kind get clusters
podman ps
virsh list
docker top x
docker port x
docker history x
docker diff x
docker compose ls
docker compose images
docker compose top
docker compose version
docker --version
"""
WORKS_HERE = r"""
helm lint .
helm template .
"""
EFFECTS: list[tuple[str, list[str]]] = [
    ("docker compose -f a.yml logs -f web", ["read a.yml"]),
    ("docker compose up -d", ["risk docker.compose"]),
    ("docker compose down -v", ["risk docker.remove"]),
    ("docker compose exec web sh", ["risk docker.exec"]),
    ("docker run --rm -it alpine sh", ["risk docker.run"]),
    ("docker run -v /:/host alpine chroot /host", ["risk docker.escape", "read /"]),
    ("docker run --privileged x", ["risk docker.escape"]),
    ("docker run -v /var/run/docker.sock:/var/run/docker.sock x", ["risk docker.escape", "read /var/run/docker.sock"]),
    ('docker run -v "$PWD":/w x', ["risk docker.run", "read /home/dev/proj"]),
    ("docker run --mount type=bind,source=/etc,target=/x y", ["risk docker.run", "read /etc"]),
    ("docker run -vdata:/x y", ["risk docker.run"]),
    ("docker exec -it x bash", ["risk docker.exec"]),
    ("docker build -t x .", ["risk docker.build"]),
    ("docker buildx build .", ["risk docker.build"]),
    ("docker push x", ["risk docker.push"]),
    ("docker pull x", ["risk docker.pull"]),
    ("docker rm -f x", ["risk docker.remove"]),
    ("docker system prune -af", ["risk docker.remove"]),
    ("docker volume create x", ["risk docker.change"]),
    ("docker image prune", ["risk docker.remove"]),
    ("docker -H tcp://x ps", ["risk docker.argument"]),
    ("docker --context x ps", ["risk docker.argument"]),
    ("docker login", ["risk docker.login"]),
    ("docker cp a:/x .", ["risk docker.copy"]),
    ("docker foo", ["risk docker.unknown"]),
    ("kubectl get pods", ["risk kubectl.read"]),
    ("kubectl delete pod x", ["risk kubectl.destroy"]),
    ("kubectl apply -f x", ["risk kubectl.change"]),
    ("kubectl -n ns logs x", ["risk kubectl.read"]),
    ("kubectl --kubeconfig ~/.kube/config get pods", ["risk kubectl.read"]),
    ("kubectl config use-context x", ["risk kubectl.config"]),
    ("kubectl version --client", []),
    ("helm install x .", ["risk helm.change"]),
    ("helm list", ["risk helm.network"]),
    ("vagrant up", ["risk vagrant.change"]),
    ("docker run -v /etc:/x y", ["risk docker.run", "read /etc"]),
    ("docker run --pid=host x", ["risk docker.escape"]),
    ("docker run --cap-add=ALL x", ["risk docker.escape"]),
    ("docker compose build", ["risk docker.build"]),
    ("docker compose pull", ["risk docker.build"]),
    ("docker save x -o /tmp/x", ["risk docker.copy"]),
    ("docker $x", ["risk docker.unknown"]),
    ("kubectl exec -it x -- sh", ["risk kubectl.exec"]),
    ("podman run --privileged x", ["risk podman.escape"]),
]
