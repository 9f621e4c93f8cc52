"""What package managers do."""

from __future__ import annotations

LOOKS = r"""
npm ls
npm config get x
npm --version
pip list
pip freeze
pip show x
pip --version
uv pip list
poetry show
conda list
conda env list
twine check dist/*
gem list
composer show
brew list
brew services list
apt list --installed
apt show x
apt-cache policy x
dpkg -l
dpkg -L x
rpm -qa
pacman -Qs x
dnf list
apk info
snap list
asdf list
nvm ls
nvm use 20
pyenv versions
pkg-config --cflags x
npm explain x
npm root
npm prefix
pnpm ls
pnpm why x
yarn why x
pip check
pip inspect
pip cache dir
uv python list
poetry check
poetry version
gem env
bundle list
dpkg -s bash
rpm -qi bash
apt search x
"""
WORKS_HERE = r"""
npm test
npm t
npm run build
npm run test -- --watch=false
npm start
npm version patch
npm pkg get name
npm init -y
npm run lint --silent
npm -s run x
pnpm test
pnpm build
pnpm -r test
pnpm --filter web build
yarn test
yarn build
bun test
bun run build
deno test
deno run main.ts
deno fmt
uv venv
poetry build
composer test
flutter test
npm run
yarn lint
yarn run test --watch
pnpm run build
uv tree
uv build
"""
EFFECTS: list[tuple[str, list[str]]] = [
    ("bun run -", ["write .", "stdin bun"]),
    ("npm install", ["risk npm.install"]),
    ("npm i -D x", ["risk npm.install"]),
    ("npm ci", ["risk npm.install"]),
    ("npm outdated", ["risk npm.network"]),
    ("npm view x", ["risk npm.network"]),
    ("npm publish", ["risk npm.publish"]),
    ("npm token list", ["risk npm.login"]),
    ("npm exec x", ["risk npm.exec"]),
    ("npx jest", ["risk npx.exec"]),
    ("npm config set x y", ["risk npm.config"]),
    ("npm --prefix web test", ["write web", "write ."]),
    ("npm --prefix /tmp/x test", ["write /tmp/x", "write ."]),
    ("npm test --prefix /tmp/x", ["write .", "write /tmp/x"]),
    ("npm run x --script-shell=/tmp/x", ["write .", "program /tmp/x", "risk npm.shell"]),
    ("npm audit", ["risk npm.install"]),
    ("npm audit fix", ["risk npm.install"]),
    ("npm cache clean --force", ["risk npm.cache"]),
    ("pnpm install", ["risk pnpm.install"]),
    ("pnpm dlx x", ["risk pnpm.exec"]),
    ("pnpm exec eslint .", ["command eslint ."]),
    ("yarn", ["risk yarn.install"]),
    ("yarn add x", ["risk yarn.install"]),
    ("yarn dlx x", ["risk yarn.exec"]),
    ("yarn workspace a test", ["write .", "command yarn test"]),
    ("npx --no-install eslint src", ["write .", "command ./node_modules/.bin/eslint src"]),
    ("npx eslint src", ["risk npx.exec"]),
    ("npx --no-install -p x y", ["risk npx.exec"]),
    ("gem build /tmp/x.gemspec", ["write .", "program /tmp/x.gemspec"]),
    ("pip-compile --version", []),
    ("yarn --cwd web test", ["write web", "write ."]),
    ("bun install", ["risk bun.install"]),
    ("bun x foo", ["risk bun.exec"]),
    ("bun -e 'x()'", ["code node x()"]),
    ("bunx foo", ["risk bunx.exec"]),
    ("deno run https://x/y.ts", ["write .", "risk deno.remote"]),
    ("deno eval 'x'", ["code node x"]),
    ("pip install x", ["risk pip.install"]),
    ("pip install -r requirements.txt", ["risk pip.install", "read requirements.txt"]),
    ("pip install -e .", ["risk pip.install"]),
    ("pip install -t /tmp/x y", ["risk pip.install", "write /tmp/x"]),
    ("pip uninstall x", ["risk pip.uninstall"]),
    ("pip config set a b", ["risk pip.config"]),
    ("pip download x -d /tmp", ["risk pip.install", "write /tmp"]),
    ("pip list --outdated", ["risk pip--outdated"]),
    ("pip3 install --user x", ["risk pip.install"]),
    ("uv run pytest -q", ["write .", "command pytest -q"]),
    ("uv run python x.py", ["write .", "command python x.py"]),
    ("uv run x.py", ["write .", "command python3 x.py"]),
    ("uv run --with foo pytest", ["write .", "risk uv.argument", "command pytest"]),
    ("uv run -m pytest -q", ["write .", "command python3 -m pytest -q"]),
    ("uv pip install x", ["risk pip.install"]),
    ("uv sync", ["risk uv.network"]),
    ("uv add x", ["risk uv.network"]),
    ("uv lock", ["risk uv.network"]),
    ("uv tool install x", ["risk uv.network"]),
    ("uv run --directory sub pytest", ["write .", "write sub", "command pytest"]),
    ("uv --directory sub run pytest", ["command uv run pytest"]),
    ("poetry run pytest", ["command pytest"]),
    ("poetry install", ["risk poetry.network"]),
    ("poetry publish", ["risk poetry.publish"]),
    ("hatch run test", ["command test"]),
    ("pdm run x", ["command x"]),
    ("pipenv run python x.py", ["command python x.py"]),
    ("conda run -n env python x.py", ["command python x.py"]),
    ("conda install x", ["risk conda.network"]),
    ("twine upload dist/*", ["risk twine.publish"]),
    ("gem install x", ["risk gem.network"]),
    ("gem push x", ["risk gem.publish"]),
    ("bundle exec rspec", ["command rspec"]),
    ("bundle exec rm -rf /", ["command rm -rf /"]),
    ("bundle install", ["risk bundle.network"]),
    ("bundle", ["risk bundle.network"]),
    ("composer install", ["risk composer.network"]),
    ("brew install x", ["risk brew.change"]),
    ("apt-get install x", ["risk apt.change"]),
    ("apt-get -o X=y update", ["risk apt-get.argument", "risk apt.change"]),
    ("dpkg -i x.deb", ["risk dpkg.change"]),
    ("rpm -i x", ["risk rpm.change"]),
    ("pacman -S x", ["risk pacman.change"]),
    ("yum install x", ["risk dnf.change"]),
    ("apk add x", ["risk apk.change"]),
    ("nix build", ["risk nix.network"]),
    ("nvm install 20", ["risk node.install"]),
    ("pyenv install 3.12", ["risk versions.install"]),
    ("virtualenv .venv", ["write .venv"]),
    ("pipx run x", ["risk pipx.network"]),
    ("cpanm X", ["risk cpan.network"]),
    ("bun run /tmp/x.ts", ["write .", "program /tmp/x.ts"]),
    ("bun /tmp/x.ts", ["write .", "program /tmp/x.ts"]),
    ("bun -", ["stdin node"]),
    ("npm init react-app x", ["write .", "risk npm.exec"]),
    ("hatch run lint:style", ["command lint:style"]),
    ("npm --userconfig=/tmp/x test", ["risk npm.argument", "write ."]),
    ("npm $x", ["risk npm.unknown"]),
    ("npm unpublish x", ["risk npm.publish"]),
    ("npm dist-tag add x", ["risk npm.publish"]),
]
