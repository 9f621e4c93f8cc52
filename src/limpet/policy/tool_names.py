"""Table: the names of all tools, by the module that knows them. Written by `python tools/tool_names.py`."""

from __future__ import annotations

NAMES: dict[str, str] = {
    "accounts": """
aa-complain aa-disable aa-enforce aa-teardown addgroup adduser anacron apparmor_parser at atq atrm auditctl authselect
batch bw capsh chage chfn chgpasswd chpasswd chsh crontab csrutil delgroup deluser dscl dseditgroup faillock fcrontab
fixfiles fwupdmgr gnome-keyring-daemon gopass gpasswd groupadd groupdel groupmod grpconv grpunconv hashcat john
keepassxc-cli keyctl kwallet-query logrotate lpass lusermod mokutil newgrp newusers op pam-auth-update pass passwd pw
pwconv pwunconv realm run-parts samba-tool secret-tool security semanage semodule setcap setenforce setsebool sg
smbpasswd spctl sysadminctl systemd-tmpfiles tpm2_clear unshadow useradd userdel usermod vigr vipw visudo
""",
    "archives": """
7z 7za 7zr 7zz funzip p7zip rar unrar unzip zip zipcloak zipdetails zipgrep zipinfo zipnote zipsplit
""",
    "awk": """
awk gawk goawk mawk nawk original-awk
""",
    "builds": """
2xml aarch64-linux-gnu-gcc aclocal actionlint acyclic add-trailing-comma addlicense addr2line afl-clang-fast afl-gcc
agda air airflow ajv alejandra alembic alex ansible-lint ant antlr4 antora api-extractor arm-none-eabi-g++
arm-none-eabi-gcc arm-none-eabi-nm arm-none-eabi-objcopy arm-none-eabi-objdump arm-none-eabi-size artillery as
asciidoctor asciidoctor-epub3 asciidoctor-pdf asciigraph aspell astro astyle asv atlas atoum attw auditwheel
auto-changelog autocannon autoconf autoflake autoheader autom4te automake autopep8 autopoint autoreconf autoscan
autoupdate ava avconv avifdec avifenc avocado avr-g++ avr-gcc avr-nm avr-objcopy avr-objdump avr-size avro-tools axe
b2 babel backstop bandit basedpyright bash-language-server bashate bashcov bats bazel bazelisk bear beautysh behat
behave biber bibtex bindgen biome bison bjam black blacken-docs bloaty bloop bmake bokeh boolector brakeman brittany
browser-sync buck buck2 buf buildifier buildozer bump-my-version bump2version bumpver bundler-audit bundlesize busted
c++ c++filt c8 c89 c99 cabal cabal-fmt cadical cairosvg callgrind_annotate cargo cbc cbindgen cc ccache ccls ccomps
celery cg_annotate cg_diff cg_merge chainlit changie check-jsonschema check-manifest check-wheel-contents
checkbashisms checkov checksec checkstyle chokidar choose chrpath circo cjpeg clang clang++ clang++-10 clang++-11
clang++-12 clang++-13 clang++-14 clang++-15 clang++-16 clang++-17 clang++-18 clang++-19 clang++-20 clang++-21
clang++-7 clang++-8 clang++-9 clang-10 clang-11 clang-12 clang-13 clang-14 clang-15 clang-16 clang-17 clang-18
clang-19 clang-20 clang-21 clang-7 clang-8 clang-9 clang-apply-replacements clang-check clang-format clang-tidy clangd
cleancss clj clj-kondo cljfmt cljstyle cmake cmake-format cmake-lint cmark cmark-gfm codecept codeceptjs codespell
coffee cohesion commitizen commitlint compare compiledb complexipy composite concurrently controller-gen
conventional-changelog convert copyfiles coqc cosmic-ray coursier coverage coverage3 coveralls covimerage cpack cpp
cppcheck cpplint cpr cpx cpx2 cpy cram credo cross-env cross-env-shell crystal cs cscope cspell css-beautify csslint
csso csvclean csvcut csvdiff csvformat csvgrep csvjoin csvjson csvlook csvsort csvsql csvstack csvstat csvtk
csvtotable ctags ctest cucumber cucumber-js cue cvc4 cvc5 cwebp cxfreeze cypress cython cythonize cz d2 daff dagster
daphne darglint dartdoc dasel datamash datamodel-codegen dbmate dbt deactivate deadcode degit del del-cli
delocate-wheel depcheck depcruise dependency-cruiser deptrac deptry detect-secrets detekt detox diesel diff-cover
diff-quality difffolded.pl display ditaa django-admin djlint djpeg dmd dmypy doc8 docformatter docfx docsify doctoc
docusaurus dodgy doit dokka dot dotenv-linter dotnet doxygen dpcpp dprint dramatiq drizzle-kit dtc dua duckdb duf dune
dupl dvc dvipdf dvipdfmx dvips dwebp dyff ec editorconfig-checker ejs electron electron-builder electron-vite eleventy
elixir-ls elixirc elm elm-format elm-live elm-review elm-test em++ emcc emcmake emconfigure emmake env-cmd eps2eps eqn
eradicate erb erblint erlc errcheck esbuild eslint eslint_d etags eu-nm eu-objdump eu-readelf eu-strip exiftool exiv2
expo f2py fab farm fastcov fdp ffmpeg ffplay ffprobe fixdep fixjson flac flake8 flamegraph.pl flask flatc flawfinder
flex flow flower flynt flyway fonttools foreman forge formatjs fourmolu fpc fselect g++ g++-10 g++-11 g++-12 g++-13
g++-14 g++-15 g++-16 g++-17 g++-18 g++-19 g++-20 g++-21 g++-7 g++-8 g++-9 gatsby gazelle gcc gcc-10 gcc-11 gcc-12
gcc-13 gcc-14 gcc-15 gcc-16 gcc-17 gcc-18 gcc-19 gcc-20 gcc-21 gcc-7 gcc-8 gcc-9 gci gcov gcovr gdc genhtml gersemi
gettext-extractor gettextize gfortran ghc ghci ghcid ghdl gif2webp gifsicle ginkgo git-cliff git-cz gitchangelog
gitleaks gitlint gitmoji gleam glow glpsol glslc gmake gn gnatmake go go-task goconst gocritic gocyclo godoc gofmt
gofumpt goimports golangci-lint gold golines golint gomarkdoc google-java-format goose gopls goreman gosec gotests
gotestsum govulncheck gp gperf gprbuild gprof gprof2dot gradio gradle gradlew granian graphql-codegen graphtage grcov
green griffe groff gron groovy groovyc grunt gs gtkdocize gulp gunicorn gvpack gyp haddock hadolint haml haml-lint
handlebars happy hardhat haskell-language-server hbs hck hclfmt heaptrack_print heif-convert help2man hexo hindent
hipcc hivemind hjson hlint honcho hoogle howdoi hpack hpc hsc2hs html-beautify html-minifier html-minifier-terser
html-validate html2text htmlhint htmlq http-server huey hugo hunspell husky hxextract hxnormalize hxselect hygen
hypercorn hyperfine hypothesis i18n-tasks i18next icc icdiff icns2png icotool icpx icx identify idris2 img2pdf
import-linter in2csv include-what-you-use indent ineffassign infection inferno-collapse-perf inferno-flamegraph
ini2json install_name_tool intelephense intercept-build interrogate intltoolize inv invoke isort iverilog iwyu jasmine
java javac javacc javadoc javap jazzy jbang jc jd jdeps jdtls jedi-language-server jekyll jest jfr jinfo jless jlink
jmap jmespath jo jp jpackage jpeginfo jpegoptim jpegtran jpgrep jps jrsonnet js-beautify jscpd jsdoc jshint json-diff
json-server json2ts json5 json_pp json_reformat json_verify json_xs jsonlint jsonnet jsonnet-fmt jsonnetfmt jsonpp
jsonschema jstack jupyter jupyter-book jupyter-lab jupyter-nbconvert jupyter-notebook jupytext just k6 kahlan karma
kcov kedro keep-sorted kernprof kissat knex knip kotlin kotlinc kramdown ktlint kube-score lage lake lame latex
latexmk lcov ld ld.bfd ld.gold ld.lld ldc2 ldd ldoc lean lefthook leg lein lemon lerna lessc lex libtool libtoolize
liccheck license-checker licenseheaders lighthouse linkinator lint-imports lint-staged lipo liquibase lit lit-analyzer
live-server lizard lld llvm-cov llvm-cxxfilt llvm-dwarfdump llvm-nm llvm-objcopy llvm-objdump llvm-profdata
llvm-readelf llvm-size llvm-strip llvm-symbolizer locust lrelease lua-language-server luacheck luadoc lualatex luigi
lupdate lychee madge mado mage magick make makedepend makeinfo man2html mandoc manypkg markdown markdown-link-check
markdown-toc markdown_py markdownlint markdownlint-cli2 marked marksman marp matlab maturin maxima mdbook mdcat
mdformat mdl mdv mediainfo memray meson metals metro microbundle migrate mike mikro-orm mill minisat ministat minitest
minizinc misspell mix mkdirp mkdocs mlflow mlr mmdc mocha mockgen modd mogrify mold montage ms_print msbuild mscgen
msgattrib msgcat msgcmp msgconv msgen msgfmt msginit msgmerge msgunfmt msguniq multimarkdown musl-gcc mustache mutmut
mutool mvn mvnd mvnw mypy mypyc nasm nbqa nbstripout ncc ncp ncu neato nest newman next ng ng-packagr nightwatch
nilaway nim nimble ninja ninja-build nixfmt nm node-gyp nose2 nosetests nox npm-check npm-check-updates npm-run-all
npm-run-all2 nroff nufmt nuitka nuitka3 nunit3-console nunjucks nuxi nuxt nvcc nx nyc objcopy objdump ocamlc ocamlfind
ocamlformat ocamlopt oclint ocrmypdf octave octave-cli odin oggdec oggenc ogginfo omnisharp onchange onefetch opam
openapi-typescript optipng opusdec opusenc opusinfo ormolu osage otool overcommit overmind oxipng oxlint pa11y pahole
pandoc panel pants papermill parallel-lint paratest parcel patchelf patchwork pdf2ps pdfcrop pdfdetach pdfimages
pdfjam pdflatex pdfroff pdfseparate pdftk pdftocairo pdftohtml pdftoppm pdftops pdftotext pdfunite pdoc pdoc3 peco peg
percol percy pest pex pg_format phan php-cs-fixer phpactor phpcbf phpcs phpdoc phplint phpmd phpstan phpunit pic pint
pipreqs pkgroll plantuml playwright plop pmd png2icns pngcheck pngcrush pnginfo pngquant poe postcss potrace pprof
preconv prefect premake5 prettier prettierd prisma proselint prospector protoc protoc-gen protolint prove ps2epsi
ps2pdf psalm ptw publint pug puma pup purgecss purs purs-tidy py.test py2app pyan3 pybabel pybind11-stubgen pycln
pycodestyle pydeps pydoclint pydocstyle pyflakes pyftsubset pyinstaller pyinstrument pylama pylint pyls pylsp
pyproject-fmt pyre pyrefly pyreverse pyright pyright-langserver pyroma pytest pytest-3 pytest-watch pytype pyupgrade
qpdf quicktype qunit rackup radon ragel rails rake ranlib rbs rdoc re2c react-scripts readelf rebar3 rector redoc-cli
redocly reek reflex refurb regal relay-compiler remake remark remix reno reorder-python-imports reportgenerator reuse
revive ri rimraf riscv64-unknown-elf-gcc robot rolldown rollup rq rspack rspec rst-lint rst2html rst2html.py rst2html5
rst2html5.py rst2latex rst2latex.py rst2man rst2man.py rst2odt rst2odt.py rst2pdf rst2pdf.py rst2s5 rst2s5.py rst2xml
rst2xml.py rstcheck rsvg-convert rubocop ruby-lsp ruff ruff-lsp rufo rumdl run-p run-s runghc runhaskell rust-analyzer
rustc rustdoc rustfmt rustup sage samu sass sass-lint sbt sbtn scala scala-cli scalac scalafix scalafmt scalene
scan-build sccache scilab scilab-cli scons scour scrapy scriv scss-lint sd sea-orm-cli semgrep sequelize sequelize-cli
serve setup-cfg-fmt sfdp shadow-cljs shellcheck shellspec shfmt shiv shx sidekiq simple-phpunit sip-build size
size-limit sk slidev slim slim-lint slotscheck snowpack soelim solargraph solc sorbet sort-package-json
source-map-explorer sourcekit-lsp sourcery sox soxi spago spark spectral sphinx-apidoc sphinx-autobuild sphinx-autogen
sphinx-build sphinx-intl sphinx-quickstart splint spotbugs sqitch sql2csv sqlc sqlcheck sqlfluff sqlformat sqlmesh
sqlx sqruff squawk srb ssort stack stackcollapse-perf.pl stackcollapse.pl standard standard-version standardrb
staticcheck steep stencil stestr storybook streamlit stringer strip stryker stubgen stubtest stylelint stylish-haskell
stylua stylus sv2v svelte-check svelte-kit svgo svgr swag swagger-cli swc swift swift-doc swiftc swiftformat swiftgen
swiftlint swig syncpack tach tailwindcss tap tape taplo task tbl tcc tectonic templ termgraph terraform-docs
terraform-ls terrascan terser tesseract testcafe testplan tex texi2any texi2dvi texi2pdf texindex texlab textlint
tflint tfsec thin thrift tidy tiged tombi toml-sort tomlq topiary towncrier tox tox-ini-fmt tre tred treefmt trial
troff truffle trufflehog ts-prune ts-unused-exports tsc tsc-watch tsd tslint tsserver tsup tsv-filter tsv-select
tsv-summarize ttx tup turbo twopi ty typedoc typegen typeorm typescript-language-server typos typstyle ufmt uglify-js
uglifyjs unbuild uncrustify unflatten unicorn unify unittest unparam upx usort uvicorn uvu v valac vale
validate-pyproject verible-verilog-format verible-verilog-lint verilator vite vite-node vitepress vitest voila
vscode-json-language-server vue-cli-service vue-tsc vuepress vulture vvp waf waitress-serve ward wasm-bindgen
wasm-objdump wasm-opt wasm-pack wasm-strip wasm-tools wasm2wat wasmtime wat2wasm watchexec wdio weasyprint
web-test-runner webpack webpack-bundle-analyzer webpack-cli webpack-dev-server webpinfo weeder wire wireit
wkhtmltoimage wkhtmltopdf wmr woff2_compress woff2_decompress wrestool write-good x86_64-w64-mingw32-gcc xan
xcbeautify xcodebuild xcodegen xcpretty xcrun xelatex xenon xgettext xml2 xmlformat xo xpath xq xsv
xtensa-esp32-elf-gcc xunit yacc yaml-language-server yamlfmt yamllint yapf yard yasm yaspeller ydiff yices yices-smt2
yj yo ytt z3 zig zizmor zls zola zopflipng zprint zx
""",
    "builtins": """
. : alias bg bind break caller cd chdir compgen complete compopt continue declare dirs disown enable eval exit export
fc fg getopts hash help history jobs let local logout mapfile popd pushd read readarray readonly return set shift
shopt source suspend times trap type typeset ulimit umask unalias unset wait
""",
    "calculators": """
bc calc dc gnuplot m4 qalc sqlite sqlite3 units
""",
    "cloud": """
acme.sh age age-keygen amplify ansible ansible-config ansible-console ansible-doc ansible-galaxy ansible-inventory
ansible-playbook ansible-pull ansible-vault aws aws-vault az azcopy bao boundary bq cdk certbot cfn-lint chamber
changeset circleci clickhouse-client codecov consul copilot cosign cqlsh createdb createuser cypher-shell datadog-ci
dirmngr doctl doppler dotenvx dropdb dropuser eas eb envchain etcdctl fastlane firebase fly flyctl gcloud gh-pages
goreleaser gpg gpg-agent gpg-connect-agent gpg2 gpgconf gpgsm gpgv gsutil hcloud heroku hf huggingface-cli ibmcloud
infisical influx initdb jreleaser kaggle keyring keytool lego linode-cli mariadb mariadb-dump mc minisign mkcert modal
mongo mongodump mongoexport mongoimport mongorestore mongosh mycli mysql mysqladmin mysqldump mysqlimport neonctl
netlify newrelic nomad now np oci ollama openssl packer pg_basebackup pg_ctl pg_dump pg_dumpall pg_isready pg_restore
pgbench pgcli planetscale pscale psql pulumi rage railway redis-cli release-it render sam scw semantic-release
sentry-cli serverless shopify sls snowsql snyk sonar-scanner sops sqlcmd sqlplus step stripe supabase surge teller
terraform terragrunt tofu travis turso twilio vacuumdb valkey-cli vault vercel wandb waypoint wrangler
""",
    "comparing": """
cmp colordiff delta diff diff-so-fancy diff3 diffstat difft dwdiff filterdiff gdiff gpatch interdiff lsdiff patch
sdiff wdiff
""",
    "compressing": """
brotli bsdcat bunzip2 bzcat bzcmp bzdiff bzip2 bzless bzmore compress gunzip gzcat gzexe gzip lbzip2 lunzip lz4 lz4cat
lzcat lzip lzless lzma lzmore lzop lzopcat pbzip2 pigz pixz plzip pzstd unbrotli uncompress unlz4 unlzma unpigz unxz
unzstd xz xzcat xzcmp xzdiff xzless xzmore zcat zcmp zdiff zforce zmore znew zstd zstdcat zstdless zstdmore zstdmt
""",
    "containers": """
argocd buildah colima conftest crictl crun ctr devspace dive docker docker-compose eksctl finch flux helm incus
istioctl k3d k3s k9s kind kops kube-linter kubeadm kubecolor kubeconform kubectl kubectx kubens kubeseal kubeval
kustomize lima limactl lxc minikube multipass nerdctl oc opa podman podman-compose runc skaffold skopeo stern
telepresence tilt trivy vagrant velero virsh
""",
    "copying": """
cp gcp gmv install ln mv
""",
    "debuggers": """
cgdb gdb gdb-multiarch heaptrack lldb ltrace perf py-spy rust-gdb rust-lldb samply strace valgrind
""",
    "disks": """
badblocks blkdiscard btrfs cfdisk cgdisk cryptsetup ddrescue debugfs diskutil dmsetup dosfsck dumpe2fs e2fsck e2label
eject fatlabel fdisk fsck fsck.apfs fsck.bfs fsck.btrfs fsck.cramfs fsck.erofs fsck.exfat fsck.ext2 fsck.ext3
fsck.ext4 fsck.f2fs fsck.fat fsck.jfs fsck.minix fsck.msdos fsck.nilfs2 fsck.ntfs fsck.reiserfs fsck.udf fsck.vfat
fsck.xfs fsfreeze fstrim fusermount fusermount3 gdisk growpart hdiutil hdparm jfs_fsck kpartx losetup lvchange
lvconvert lvcreate lvdisplay lvextend lvm lvmdiskscan lvreduce lvremove lvrename lvresize lvs lvscan mdadm mkdosfs
mke2fs mkexfatfs mkfs mkfs.apfs mkfs.bfs mkfs.btrfs mkfs.cramfs mkfs.erofs mkfs.exfat mkfs.ext2 mkfs.ext3 mkfs.ext4
mkfs.f2fs mkfs.fat mkfs.jfs mkfs.minix mkfs.msdos mkfs.nilfs2 mkfs.ntfs mkfs.reiserfs mkfs.udf mkfs.vfat mkfs.xfs
mkntfs mkswap mount newfs ntfsfix nvme nwipe parted partprobe pvchange pvcreate pvdisplay pvmove pvremove pvresize pvs
pvscan quotaon reiserfsck resize2fs scrub setquota sfdisk sg_format sgdisk smartctl swapoff swapon tune2fs udisksctl
umount vgchange vgcreate vgdisplay vgextend vgreduce vgremove vgs vgscan wipefs xfs_admin xfs_growfs xfs_info
xfs_repair zfs zpool
""",
    "editors": """
atom bbedit clion code code-insiders codium cursor dolphin ed edit elvis emacs emacs-nox emacsclient eog evim evince
ex explorer explorer.exe feh gedit gimp goland gvim helix hx idea inkscape jed joe kak kate kdiff3 kwrite less
libreoffice lv mate mcedit meld mg micro more most mousepad mpv mvim nano nautilus ne notepad notepad++ nvi nvim
okular pg pico pluma pycharm red rnano rview rvim soffice start subl sublime_text thunar tilde vi view vim vim.basic
vim.tiny vimdiff vlc webstorm windsurf xed xemacs zed zile zless
""",
    "facts": """
apache2 apropos ascii banner caddy cowsay cowthink date dircolors dnsdomainname dwarfdump errno fastfetch figlet
fortune gdate hostid httpd info infocmp lolcat lsb_release man neofetch nginx pdffonts pdfinfo printenv pwd
screenfetch sleep tabs tldr toe toilet usleep uuidgen whatis whereis which
""",
    "files": """
chattr chflags chgrp chmod chown csplit dc3dd dcfldd dd fallocate file-rename grm mkdir mkfifo mknod mktemp
perl-rename prename rename rm rmdir setfacl setfattr shred split sponge sync tee tempfile touch trash trash-put
truncate unlink wipe
""",
    "find": """
fd fdfind find gfind locate mdfind mlocate plocate
""",
    "git": """
bzr gh git git-filter-branch git-filter-repo git-lfs git-subtree gitk glab hg jj pre-commit svn svnadmin tig
""",
    "itself": """
limpet
""",
    "javascript": """
babel-node esr iojs node nodejs nodemon qjs ts-node ts-node-esm tsx
""",
    "looking": """
basename df dir dirname du dust exa eza file findmnt getfacl getfattr gls greadlink grealpath gstat ll ls lsattr lsd
mountpoint namei ncdu pathchk readlink realpath stat tree vdir
""",
    "netconfig": """
arp arptables bluetoothctl bmon brctl bridge conntrack dhclient dhcpcd ebtables ethtool firewall-cmd hciconfig hostapd
ifconfig ifdown ifstat iftop ifup ip ip6tables ip6tables-restore ip6tables-save ipset iptables iptables-legacy
iptables-nft iptables-restore iptables-save iw iwconfig lsof mmcli nethogs netplan netstat networkctl networksetup nft
nmcli nstat openconnect pfctl pppd resolvectl rfkill route scutil ss tc tunctl udhcpc ufw vnstat vpnc wg wpa_cli
wpa_supplicant
""",
    "network": """
ab amass arping bombardier bore borg brave-browser bup chisel chromium chromium-browser cloudflared croc curlftpfs dig
dirb dnscat dnscat2 drill dumpcap duplicacy duplicity elinks exim exim4 fast fetch fetchmail ffsend ffuf finger
firefox fping frpc frps ftp getmail gist gnome-open gobuster google-chrome google-chrome-stable gopher gost grpcurl
hey host hping3 httpx hydra inlets iodine iperf iperf3 irssi kde-open kopia ldapmodify ldapsearch links links2
localtunnel localxpose loclx lt lwp-download lwp-mirror lwp-request lynx magic-wormhole mail mailx masscan mbsync
microsoft-edge mosquitto_pub mosquitto_sub msmtp mtr mutt ncftp neomutt ngrep ngrok nikto nmap nmblookup nping
nslookup ntpdate nuclei offlineimap oha onionshare open openvpn pagekite pastebinit ping ping6 pscp pssh qrcp rclone
rcp rdesktop rdiff-backup restic rexec rlogin rpcclient rpcinfo rsh rustscan s-nail s3cmd s5cmd sendmail
sensible-browser showmount siege smbclient snmpget snmpwalk speedtest speedtest-cli sprunge sqlmap ssh-keyscan sshfs
sshuttle ssmtp stunnel subfinder swaks tailscale tcpdump termbin termshark tftp tor tracepath traceroute traceroute6
transfer transmission-cli tshark vegeta vncviewer w3m weechat wfuzz wg-quick wgetpaste whois wireshark wormhole wrk
wrk2 www-browser x-www-browser xdg-email xdg-open xfreerdp xterm zerotier-cli zmap zrok
""",
    "packages": """
add-apt-repository alien apk apt apt-cache apt-config apt-file apt-get apt-key apt-mark aptitude asdf brew bumpversion
bun bundle bundler bunx carthage composer conan conda cookiecutter corepack cpan cpanm dart deno dnf dpkg dpkg-query
easy_install emerge eopkg equery flatpak flit flutter fnm gem goenv guix hatch home-manager installer jenv luarocks
mamba microdnf micromamba mise n nix nix-build nix-channel nix-collect-garbage nix-env nix-instantiate nix-shell
nix-store nixos-rebuild nodebrew nodenv npm npx nvm pacman paru pdm pear pecl pip pip-audit pip-compile pip-licenses
pip-review pip-sync pip2 pip3 pip3.10 pip3.11 pip3.12 pip3.13 pip3.14 pip3.15 pip3.6 pip3.7 pip3.8 pip3.9 pipdeptree
pipenv pipx pixi pkg pkg-config pkgconf pnpm pnpm-dlx pnpx pod poetry port pub pyenv pyproject-build qlist rbenv rpm
rpmquery rtx rvm rye safety sdk snap tasksel tfenv twine unattended-upgrade uv uvx vcpkg virtualenv volta xbps-install
yarn yarnpkg yay yum zypper
""",
    "packing": """
ar bsdcpio cpio dpkg-deb gcc-ar jar llvm-ar lsar pax rpm2archive rpm2cpio shar unar unshar uudecode uuencode
""",
    "perl": """
perl perl5
""",
    "power": """
chkconfig halt init initctl invoke-rc.d kexec launchctl loginctl machinectl openrc pm-hibernate pm-powersave
pm-suspend pmset poweroff rc-service rc-status rc-update reboot rtcwake service shutdown supervisorctl sv systemctl
systemd-inhibit telinit update-rc.d zzz
""",
    "processes": """
aa-status acpi arch atop blkid btm btop dmidecode free fuser getcap getconf getenforce glances groups htop hwinfo id
inxi iostat ipcrm ipcs kill killall killall5 last lastb lastlog locale logname lsblk lscpu lshw lsinitramfs lsipc
lsirq lslocks lslogins lsmem lsmod lsns lspci lsusb modinfo mpstat nproc numastat nvidia-smi pgrep pidof pidstat
pidwait pkill pmap procs ps pstree pwdx renice rocm-smi runlevel sar sensors sestatus skill slabtop snice sw_vers
system_profiler tload top tty uname upower uptime users vm_stat vmstat w who whoami xkill
""",
    "python": """
ipython ipython3 micropython pypy pypy3 pypy3.10 pypy3.11 pypy3.12 pypy3.6 pypy3.7 pypy3.8 pypy3.9 python python2
python2.7 python3 python3.10 python3.11 python3.12 python3.13 python3.14 python3.15 python3.16 python3.17 python3.18
python3.19 python3.20 python3.5 python3.6 python3.7 python3.8 python3.9 pythonw
""",
    "remote": """
autossh lftp mosh proxychains proxychains4 scp sftp slogin ssh ssh-add ssh-agent ssh-copy-id ssh-keygen sshpass torify
torsocks tsocks
""",
    "rsync": """
rsync
""",
    "scripting": """
R Rscript bb clisp clojure elixir erl escript expect fennel gprolog gst guile hhvm iex io irb jruby jshell julia
littler lua lua5.1 lua5.2 lua5.3 lua5.4 luajit luau mruby ocaml osascript php php-cgi php7 php8 php8.0 php8.1 php8.2
php8.3 php8.4 php8.5 powershell powershell.exe pry pwsh racket raku ruby sbcl swipl tclsh tclsh8.6 truffleruby wish
yap
""",
    "searching": """
ack ack-grep ag agrep bzegrep bzfgrep bzgrep cloc egrep fgrep fzf ggrep gojq grep jaq jq lz4grep lzgrep pcre2grep
pcregrep pdfgrep pt rg rgrep ripgrep scc sloccount tokei ug ugrep xmllint xmlstarlet xsltproc xzegrep xzfgrep xzgrep
yq zegrep zfgrep zgrep zstdgrep
""",
    "sed": """
gsed sed
""",
    "shells": """
-bash -sh -zsh ash bash bash5 bosh csh dash elvish es fish hush ion ksh ksh93 loksh mksh nu oksh osh pdksh posh rbash
rc rfish rksh rzsh sh tcsh xonsh yash zsh
""",
    "sockets": """
cryptcat nc nc.openbsd nc.traditional ncat netcat pwncat rustcat socat telnet websocat wscat
""",
    "system": """
acpid adjtimex alternatives authconfig bootctl busctl chcon chronyc chronyd chvt coredumpctl cpupower crash
dbus-monitor dbus-send dconf debconf-set-selections defaults depmod dkms dmesg domainname dpkg-reconfigure dracut
efibootmgr efivar extlinux flashrom gcore gdbus getent getopt gnome-screenshot grub-install grub-mkconfig grub-reboot
grub-set-default grub2-install grub2-mkconfig grubby gsettings hostname hostnamectl hwclock insmod installkernel
ipmitool journalctl kernel-install kmod kreadconfig5 kwriteconfig5 ldconfig lilo loadkeys locale-gen localectl logger
mesg mkhomedir_helper mkinitcpio modprobe notify-send ntpd openvt pbcopy pbpaste plutil powertop qdbus raspi-config
rdmsr reset resize restorecon rmmod rngd screencapture scrot setfont setleds setpci setterm setupcon softwareupdate
stty sysctl systemd-analyze systemd-detect-virt systemd-hwdb timedatectl tmutil tput trust tset tuned-adm udevadm
update-alternatives update-ca-certificates update-ca-trust update-desktop-database update-grub update-initramfs
update-locale update-mime-database wall wl-copy wl-paste wmctrl write wrmsr xauth xclip xdg-mime xdg-settings xdotool
xfconf-query xhost xsel xte ydotool zramctl
""",
    "tar": """
bsdtar gnutar gtar star tar
""",
    "terminals": """
byobu screen tmux
""",
    "text": """
[ b2sum b3sum base32 base64 basenc bat batcat cal cat cksum clear col colrm column comm crc32 cut dos2unix echo
envsubst expand expr factor false fmt fold fromdos gbase64 gcat gcomm gcut gecho gettext gexpr gfold ghead gjoin
gmd5sum gnl gpaste gprintf gseq gsha256sum gshuf gsort gtail gtr guniq gwc hd head hexdump hexyl iconv isutf8 join
look mac2unix md5 md5sum ncal ngettext nl numfmt od par paste pr printf ptx pv recode rev seq sha1 sha1sum sha224sum
sha256 sha256sum sha384sum sha512sum shasum shuf sort strings sum tac tail test todos tr true tsort uconv ul unexpand
uniq unix2dos unix2mac unvis vis wc xxd xxh128sum xxh64sum xxhsum yes
""",
    "transfers": """
aria2c axel curl curlie gallery-dl http httpie https wcurl wget wget2 xh xhs youtube-dl yt-dlc yt-dlp
""",
    "wrappers": """
builtin busybox bwrap caffeinate chroot chrt command cpulimit dbus-run-session direnv doas dotenv dumb-init eatmydata
entr env exec fakeroot faketime firejail flock gosu gtime gtimeout gxargs i386 ionice ld-linux-aarch64.so.1
ld-linux-armhf.so.3 ld-linux-riscv64-lp64d.so.1 ld-linux-x86-64.so.2 ld-linux.so.2 ld-musl-aarch64.so.1
ld-musl-x86_64.so.1 ld.so ld64.so.1 ld64.so.2 linux32 linux64 logsave nice nohup nsenter numactl parallel pkexec
prlimit proot rlwrap rr run0 runuser script setarch setpriv setsid stdbuf su su-exec sudo sudoedit systemd-run taskset
time timeout tini toybox ts unbuffer unshare watch xargs xvfb-run
""",
}
