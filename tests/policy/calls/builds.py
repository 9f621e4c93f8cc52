"""What build tools, compilers, test runners and linters do."""

from __future__ import annotations

LOOKS = r"""
rustup show
go env
bazel query //...
cargo tree
go list ./...
go doc fmt
go version
tsc --version
celery --help
"""
WORKS_HERE = r"""
make
make -j8 test
make CC=clang
make SHELL=/bin/bash test
make CFLAGS='-O2 -g'
cargo build --release
cargo test -- --nocapture
cargo +nightly fmt
cargo clippy --all-targets -- -D warnings
cargo run -- --config x
cargo check -p foo
cargo clean
cargo doc --open
cargo nextest run
go build ./...
go test ./... -v -run TestX -count=1
go vet ./...
go run .
go run ./cmd/x --flag
go fmt ./...
go generate ./...
java -cp out Main
./gradlew build
gradle test --tests Foo
mvn test
mvn -q clean package -DskipTests
dotnet build
dotnet test --filter X
swift build
tsc --noEmit
prettier --check .
black .
ruff check .
ruff format
isort .
flake8
pyright
pytest
pytest -q tests/test_a.py::test_x -k 'a and b' -x
pytest -p no:cacheprovider
pytest --cov=src --cov-report=term-missing
pytest -n auto
tox -e py311
nox -s tests
coverage html
jest --watchAll=false
playwright test
cypress run
phpunit
rake test
mix test
stack build
zig build
just test
task build
invoke test
mkdocs build
doxygen
webpack --mode production
vite build
vite
next build
next dev
ng build
bazel build //...
ant clean
sbt test
xcodebuild -scheme x build
cabal build
dune build
ctest --output-on-failure
uvicorn app:app --reload
gofmt -w .
golangci-lint run
rubocop -A
hugo
terraform-docs .
nim r x.nim
turbo run build
make CC='ccache gcc'
make -B VERSION=1.2 dist
cargo fmt --check
cargo bench
go test -race -cover ./pkg/...
tsc --watch
pytest --lf
pytest tests -x --tb=short
"""
EFFECTS: list[tuple[str, list[str]]] = [
    ("make -C sub all", ["command make all"]),
    ("make -C /tmp/x", ["command make"]),
    ("make -f /tmp/Makefile", ["write .", "program /tmp/Makefile"]),
    ("make -f build.mk x", ["write .", "program ./build.mk"]),
    ("make SHELL=/tmp/x", ["write .", "script /tmp/x", "risk make.variable"]),
    ("make CC='sh -c id'", ["write .", "script sh -c id"]),
    ("make X='$(shell id)'", ["write .", "risk make.variable"]),
    ("make --eval='x:;id'", ["write .", "code make x:;id"]),
    ("make 'X!=id'", ["write .", "script id", "risk make.variable"]),
    ("make -f -", ["write .", "stdin make"]),
    ("cmake -S . -B build -DCMAKE_BUILD_TYPE=Release", ["write .", "write build"]),
    ("cmake --build build -j4", ["write .", "write build"]),
    ("cmake -P x.cmake", ["write .", "program ./x.cmake"]),
    ("cmake -P /tmp/x.cmake", ["write .", "program /tmp/x.cmake"]),
    ("cmake -E rm -rf /", ["delete-tree /"]),
    ("cmake -E env A=1 rm -rf /", ["command env A=1 rm -rf /"]),
    ("cmake -E env LD_PRELOAD=p ls", ["command env LD_PRELOAD=p ls"]),
    ("cmake -E chdir build make", ["command make"]),
    ("cmake -E time make", ["command time make"]),
    ("cmake -DCMAKE_C_COMPILER=/tmp/x .", ["write .", "read .", "program /tmp/x", "risk cmake.program"]),
    ("cmake -DCMAKE_C_COMPILER=clang ..", ["write .", "read ..", "program ../any"]),
    ("cmake -DCMAKE_TOOLCHAIN_FILE=/tmp/x.cmake .", ["write .", "read .", "program /tmp/x.cmake"]),
    ("cmake --install build", ["write .", "risk cmake.install", "write build"]),
    ("cmake --install build --prefix out", ["write .", "write build", "write out"]),
    ("ninja -C build", ["command ninja"]),
    ("ninja -C build test", ["command ninja test"]),
    ("meson setup build", ["write .", "write build"]),
    ("meson test -C build", ["write .", "write build"]),
    ("cargo install ripgrep", ["risk cargo.network"]),
    ("cargo publish", ["risk cargo.publish"]),
    ("cargo --config x build", ["risk cargo.argument", "write ."]),
    ("cargo foo", ["risk cargo.unknown"]),
    ("cargo add serde", ["risk cargo.network"]),
    ("rustup update", ["risk rustup.network"]),
    ("rustup run nightly cargo test", ["command cargo test"]),
    ("go test -exec 'sh -c id' ./...", ["script sh -c id", "risk go.exec", "write ."]),
    ("go test --exec=id ./...", ["script id", "risk go.exec", "write ."]),
    ("go build -o /tmp/x .", ["write /tmp/x", "write ."]),
    ("go build -o bin/app ./cmd/app", ["write bin/app", "write ."]),
    ("go run example.com/x@latest", ["write .", "risk go.network"]),
    ("go mod tidy", ["risk go.network"]),
    ("go get x", ["risk go.network"]),
    ("go env -w GOFLAGS=x", ["risk go.env"]),
    ("go build -toolexec=id", ["script id", "risk go.exec", "write ."]),
    ("go -C sub build", ["command go build"]),
    ("go run /tmp/x.go", ["write .", "program /tmp/x.go"]),
    ("gcc -o a a.c", ["write .", "write a", "read a.c"]),
    (
        "gcc -O2 -Wall -Wno-foo -fno-omit-frame-pointer main.c -o build/main -lm",
        ["write .", "read main.c", "write build/main"],
    ),
    ("gcc -fplugin=x a.c", ["write .", "risk compiler.plugin", "read a.c"]),
    ("gcc -wrapper sh,-c,id a.c", ["write .", "risk compiler.plugin", "read sh,-c,id", "read a.c"]),
    ("gcc @opts", ["write .", "risk compiler.options"]),
    ("g++ -std=c++17 -I include -c x.cpp", ["write .", "read x.cpp"]),
    ("gcc -o/tmp/x a.c", ["write .", "write /tmp/x", "read a.c"]),
    ("gcc -x c ~/.ssh/id_rsa", ["write .", "read /home/dev/.ssh/id_rsa"]),
    ("clang -B/tmp a.c", ["write .", "risk compiler.plugin", "read a.c"]),
    ("ld -o x a.o", ["write .", "write x", "read a.o"]),
    ("ar rcs lib.a a.o", ["write lib.a", "read a.o"]),
    ("nm a.o", ["read a.o"]),
    ("strip a", ["write a"]),
    ("javac -d out A.java", ["write .", "write out", "read A.java"]),
    ("java -jar app.jar", ["write .", "program ./app.jar"]),
    ("java -jar /tmp/app.jar", ["write .", "program /tmp/app.jar"]),
    ("java -XX:OnError='id' Main", ["write .", "script id"]),
    ("java -javaagent:x Main", ["write .", "risk java.agent"]),
    ("java Foo.java", ["write .", "program ./Foo.java"]),
    ("gradle -I /tmp/x.gradle build", ["write .", "program /tmp/x.gradle"]),
    ("gradle publish", ["write .", "risk gradle.publish"]),
    ("mvn deploy", ["write .", "risk mvn.publish"]),
    ("dotnet add package X", ["risk dotnet.network"]),
    ("dotnet run --project src/App", ["write .", "write src/App"]),
    ("dotnet nuget push x", ["risk dotnet.publish"]),
    ("tsc -p .", ["write .", "read ."]),
    ("tsc --outDir /tmp/x", ["write .", "write /tmp/x"]),
    ("eslint src --fix", ["write .", "read src", "write src"]),
    ("eslint . -o /tmp/x", ["write .", "write /tmp/x", "read ."]),
    ("prettier --write src", ["write .", "write src"]),
    ("black src/ --check", ["write .", "write src/"]),
    ("ruff check --fix src", ["write .", "write src"]),
    ("pylint src", ["write .", "read src"]),
    ("pylint --init-hook='import os' src", ["write .", "code python import os", "read src"]),
    ("mypy src", ["write .", "read src"]),
    ("mypy --junit-xml /tmp/x src", ["write .", "write /tmp/x", "read src"]),
    ("mypy --python-executable /tmp/py src", ["write .", "program /tmp/py", "read src"]),
    ("pytest --basetemp=/home/dev", ["write .", "delete-tree /home/dev", "write /home/dev"]),
    ("pytest /tmp/evil.py", ["write .", "program /tmp/evil.py"]),
    ("pytest ../other/tests", ["write .", "program ../other/tests/any"]),
    ("pytest -c /tmp/x.ini", ["write .", "program /tmp/x.ini"]),
    ("pytest -vc x.ini", ["write .", "program ./x.ini"]),
    ("pytest -c /dev/null", ["write ."]),
    ("pytest -o pythonpath=/tmp/x", ["write .", "risk pytest.setting"]),
    ('pytest "$x"', ["write .", "program …"]),
    ("coverage run -m pytest", ["write .", "command python3 -m pytest"]),
    ("vitest run", ["write .", "read run"]),
    ("mocha -r ts-node/register 'test/**/*.ts'", ["write .", "read test/**/*.ts", "read ts-node/register"]),
    ("mocha -r /tmp/evil.js", ["write .", "program /tmp/evil.js", "read /tmp/evil.js"]),
    ("mocha --anything=/tmp/evil.js", ["write .", "program /tmp/evil.js"]),
    ("playwright install", ["risk browser.install"]),
    ("rspec spec/x_spec.rb", ["write .", "read spec/x_spec.rb"]),
    ("stack exec foo", ["command foo"]),
    ("just -f /tmp/j x", ["write .", "program /tmp/j"]),
    ("fab deploy", ["risk fab.network"]),
    ("mkdocs gh-deploy", ["risk mkdocs.deploy"]),
    ("sphinx-build -b html docs docs/_build", ["write .", "read docs", "write docs/_build"]),
    ("esbuild a.ts --bundle --outfile=dist/a.js", ["write .", "write dist/a.js", "read a.ts"]),
    ("bazel test //... --run_under=id", ["write .", "risk bazel--run_under"]),
    ("ctest --test-dir build", ["write .", "read build"]),
    ("shellcheck x.sh", ["write .", "read x.sh"]),
    ("latexmk -pdf x.tex", ["write .", "read x.tex"]),
    ("pdflatex -shell-escape x.tex", ["write .", "risk pdflatex-shell-escape", "read x.tex"]),
    ("clang-format -i a.c", ["write .", "write a.c"]),
    ("protoc --python_out=. a.proto", ["write .", "read a.proto", "write ."]),
    ("protoc --plugin=protoc-gen-x=/tmp/x a.proto", ["write .", "read a.proto", "program /tmp/x"]),
    ("protoc --go_out=paths=source_relative:out a.proto", ["write .", "read a.proto", "write out"]),
    ("rustc main.rs", ["write .", "read main.rs"]),
    ("rustc -C linker=/tmp/x main.rs", ["write .", "risk compiler.plugin", "read main.rs"]),
    ("go test -C sub -run X ./...", ["command go test -run X ./..."]),
    ("go build ../x", ["write .", "program ../x/any"]),
    ("go build -overlay /tmp/x.json .", ["program /tmp/x.json", "write ."]),
    ("javac -d /tmp/x A.java", ["write .", "write /tmp/x", "read A.java"]),
    ("java -cp a:lib/* x.Main", ["write ."]),
    ('java -cp "$x" x.Main', ["write .", "program …"]),
    ("hugo --minify -d /tmp/x", ["write /tmp/x", "write ."]),
    ("groovy /tmp/x.groovy", ["write .", "read /tmp/x.groovy", "program /tmp/x.groovy"]),
    ("zig run /tmp/x.zig", ["write .", "program /tmp/x.zig"]),
    ("coverage run -m pytest --basetemp=/x", ["write .", "command python3 -m pytest --basetemp=/x"]),
    ("coverage run x.py", ["write .", "command python3 x.py"]),
    ("cmake ..", ["write .", "read ..", "program ../any"]),
    ("ruff src", ["write .", "write src"]),
    ("ruff /tmp/x.py", ["write .", "write /tmp/x.py"]),
    ("swift /tmp/x.swift", ["write .", "program /tmp/x.swift"]),
    ("c8 mocha", ["command mocha"]),
    ("nyc curl http://x", ["command curl http://x"]),
    ("nx exec -- rm -rf x", ["command rm -rf x"]),
    ("lerna publish", ["risk monorepo.publish"]),
    ("cmake -DCMAKE_C_COMPILER_LAUNCHER=ccache .", ["write .", "read ."]),
    ("just --command rm -rf /", ["write .", "risk just.argument", "program /"]),
    ("prove -e id t", ["write .", "script id", "read t"]),
    ("make --makef=/tmp/x", ["write .", "program /tmp/x"]),
    ("ninja -f /tmp/x", ["write .", "program /tmp/x"]),
    ("eslint --ext .ts src", ["write .", "read src"]),
    ('stylelint "**/*.css"', ["write .", "read **/*.css"]),
    ("webpack serve", ["write .", "read serve"]),
    ("pytest --junitxml=report.xml", ["write .", "write report.xml"]),
    ("mypy --strict src tests", ["write .", "read src", "read tests"]),
    ("clang-tidy a.cpp", ["write .", "read a.cpp"]),
    ("cppcheck src", ["write .", "read src"]),
    ("objdump -d a.o", ["read a.o"]),
    ("ldd ./app", ["program ./app"]),
    ("readelf -h a.o", ["read a.o"]),
    ("objdump -d --plugin /tmp/p.so a.o", ["risk objdump--plugin", "read /tmp/p.so", "read a.o"]),
    ("cargo +/tmp/p build", ["program /tmp/p", "write ."]),
    ("cargo +nightly build", ["write ."]),
    ("doxygen /tmp/Doxyfile", ["write .", "program /tmp/Doxyfile"]),
    ("doxygen -g docs/Doxyfile", ["write .", "write docs/Doxyfile"]),
    ("mypy --config-file /tmp/m.ini src", ["write .", "read src", "program /tmp/m.ini"]),
    ("tox exec -e py -- curl a.example", ["write .", "command curl a.example"]),
    ("tox -e py -- -k x", ["write ."]),
    ("tox -x testenv.commands=id", ["write .", "risk tox.argument"]),
    ("ant -f /tmp/build.xml", ["write .", "program /tmp/build.xml"]),
    ("javac -processorpath /tmp/p A.java", ["write .", "read A.java", "program /tmp/p/any"]),
    ("javac --class-path=a:/tmp/x.jar A.java", ["write .", "read A.java", "program /tmp/x.jar"]),
    ("groovy /tmp/x.groovy", ["write .", "read /tmp/x.groovy", "program /tmp/x.groovy"]),
    ("rustc --extern x=/tmp/x.so a.rs", ["write .", "program /tmp/x.so", "read a.rs"]),
    ("dotnet test /p:Coverage=true", ["write ."]),
    ("dotnet build -p:X=/tmp/x.targets", ["write .", "risk dotnet.property"]),
    ("mix run -e x", ["write .", "risk mix.argument"]),
    ("crystal eval x", ["write .", "read eval", "read x", "risk crystal.eval"]),
    ("dune exec -- rm x", ["command rm x"]),
    ("mvn -s /tmp/s.xml test", ["write .", "program /tmp/s.xml"]),
    ("alembic history", ["write ."]),
    ("alembic upgrade head", ["write ."]),
    ("rails routes", []),
    ("rails runner 'puts 1'", ["code ruby puts 1"]),
    ("rails db:drop", ["risk rails.database"]),
    ("autoreconf -fi", ["write ."]),
    ("convert a.png -resize 50% b.png", ["read a.png", "read 50%", "write b.png"]),
    ("convert '|id' b.png", ["risk image.command", "write b.png"]),
    ("convert https://x.example/a b.png", ["risk convert.network", "read https://x.example/a", "write b.png"]),
    ("mogrify -path out a.png", ["write out", "write a.png", "write out"]),
    ("ffmpeg -i a.mp4 -c:v x -y b.mp4", ["read a.mp4", "write b.mp4"]),
    ("ffmpeg -i a.mp4 -x /tmp/y b.mp4", ["read a.mp4", "write /tmp/y", "write b.mp4"]),
    ("pandoc -o b.pdf a.md", ["write b.pdf", "read a.md"]),
    ("pandoc -L /tmp/f.lua a.md", ["read a.md", "program /tmp/f.lua"]),
    ("gs -o out.pdf in.ps", ["write out.pdf", "read in.ps"]),
    ("gs -sOutputFile=%pipe%id in.ps", ["risk gs.pipe", "script id", "read in.ps"]),
    ("gs -dNOSAFER in.ps", ["risk gs.unsafe", "read in.ps"]),
    ("pdftk a.pdf cat 1-2 output b.pdf", ["read a.pdf", "read cat", "read 1-2", "read output", "write b.pdf"]),
    ("exiftool a.jpg", ["read a.jpg"]),
    ("exiftool -Artist=me a.jpg", ["write a.jpg"]),
    ("exiftool -if x a.jpg", ["risk exiftool.code", "read x", "read a.jpg"]),
    ("jo a=@x b=1", ["read x"]),
    ("jc ls -l", ["command ls -l"]),
    ("mlr --icsv cat f.csv", ["read cat", "read f.csv"]),
    ("mlr put 'system(1)' f.csv", ["read put", "risk mlr.code", "read f.csv"]),
    ("duckdb a.db 'select 1'", ["write a.db", "code duckdb select 1"]),
    ("duckdb a.db", ["write a.db", "stdin duckdb"]),
    ("hyperfine -w 3 'make x' y", ["script make x", "script y"]),
    ("concurrently npm:a 'tsc -w'", ["script npm run a", "script tsc -w", "write ."]),
    ("concurrently 'npm:a; id'", ["script npm run a; id", "write ."]),
    ("foreman run rm x", ["command rm x"]),
    ("cross-env A=1 jest x", ["command env A=1 jest x"]),
    ("rimraf dist", ["delete-tree dist"]),
    ("watchexec -e py 'make x'", ["script make x"]),
    ("watchexec -e py make x", ["command make x"]),
    ("scalene --outfile o.html app.py", ["write .", "write o.html", "command python3 app.py"]),
    ("memray run -m app", ["write .", "command python3 -m app"]),
    ("ccache gcc -c a.c", ["command gcc -c a.c"]),
    ("ccache -C", ["risk ccache.change"]),
    ("bear --output c.json -- make", ["write c.json", "command make"]),
    ("help2man ./x", ["program ./x"]),
    ("octave --eval 'x'", ["code octave x"]),
    ("jupyter nbconvert --to html a.ipynb", ["write .", "write a.ipynb"]),
    ("celery -A x worker", ["risk celery.use"]),
]
