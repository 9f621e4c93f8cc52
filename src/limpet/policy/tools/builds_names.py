"""Names of tools that bundle, lint, format and test, by what they do with the files they are given."""

from __future__ import annotations

BUNDLERS = (
    "tsc", "babel", "webpack", "rollup", "esbuild", "parcel", "swc", "tsup", "terser", "uglifyjs", "postcss",
    "tailwindcss", "microbundle", "ncc", "tsc-watch", "vue-tsc", "svelte-check", "ng-packagr", "rspack", "gulp",
    "grunt", "storybook", "typedoc", "jsdoc", "api-extractor", "size-limit", "depcheck", "knip", "madge", "cspell",
    "commitlint", "lint-staged", "tsd", "publint", "attw", "webpack-cli", "webpack-dev-server", "unbuild", "pkgroll",
    "snowpack", "wmr", "metro", "ejs", "handlebars", "pug", "mustache", "nunjucks", "hbs", "haml", "slim", "purgecss",
    "cleancss", "csso", "html-minifier", "html-minifier-terser", "uglify-js", "license-checker", "nest", "stencil",
    "rolldown", "farm", "bundlesize", "source-map-explorer", "svgr", "electron-vite", "elm-live", "shadow-cljs",
)  # fmt: skip
LINTERS = (
    "eslint", "stylelint", "pylint", "flake8", "pyright", "basedpyright", "pytype", "pyre", "ty", "bandit",
    "vulture", "radon", "pydocstyle", "pycodestyle", "pyflakes", "codespell", "yamllint", "shellcheck", "hadolint",
    "markdownlint", "jshint", "markdownlint-cli2", "tslint", "htmlhint", "actionlint", "phpstan", "psalm", "phpcs",
    "checkstyle", "vale", "cppcheck", "clang-tidy", "cpplint", "iwyu", "sqlfluff", "luacheck", "tflint",
    "import-linter", "lint-imports", "detect-secrets", "djlint", "ansible-lint", "dotenv-linter", "ajv", "jsonlint",
    "xo", "standard", "oxlint", "check-jsonschema", "proselint", "misspell", "pydoclint", "interrogate", "deptry",
    "refurb", "slotscheck", "taplo", "buf", "reek", "brakeman", "erblint", "haml-lint", "slim-lint", "srb", "sorbet",
    "steep", "rbs", "bundler-audit", "phpmd", "phan", "deptrac", "phplint", "parallel-lint", "swagger-cli", "redocly",
    "spectral", "ts-prune", "ts-unused-exports", "depcruise", "dependency-cruiser", "remark", "textlint", "alex",
    "write-good", "mdl", "html-validate", "sass-lint", "scss-lint", "csslint", "eradicate", "pylama", "prospector",
    "dodgy", "xenon", "lizard", "cohesion", "pyroma", "check-manifest", "check-wheel-contents", "validate-pyproject",
    "doc8", "rstcheck", "rst-lint", "darglint", "liccheck", "oclint", "splint", "flawfinder", "cmake-lint",
    "clang-check", "spotbugs", "pmd", "clj-kondo", "weeder", "elm-review", "gitlint", "tfsec", "checkov", "terrascan",
    "kube-score", "regal", "squawk", "sqlcheck", "protolint", "bashate", "checkbashisms", "flow", "lit-analyzer",
    "verible-verilog-lint", "zizmor", "yaspeller", "ec", "editorconfig-checker", "jscpd", "complexipy", "tach",
    "pyrefly", "credo", "mado", "rumdl",
)  # fmt: skip
FORMATTERS = (
    "prettier", "black", "isort", "autopep8", "yapf", "autoflake", "pyupgrade", "docformatter", "rustfmt",
    "clang-format", "shfmt", "biome", "dprint", "stylua", "gofumpt", "rubocop", "standardrb", "php-cs-fixer",
    "phpcbf", "ocamlformat", "ormolu", "fourmolu", "hlint", "nixfmt", "alejandra", "cmake-format", "yamlfmt",
    "add-trailing-comma", "blacken-docs", "tidy", "scalafix", "cljfmt", "mdformat", "sort-package-json",
    "jsonnetfmt", "terraform-docs", "buildifier", "fixjson", "rector", "pint", "syncpack", "manypkg", "doctoc",
    "markdown-toc", "pyproject-fmt", "tox-ini-fmt", "ssort", "unify", "uncrustify", "astyle", "indent", "cljstyle",
    "stylish-haskell", "hindent", "brittany", "cabal-fmt", "elm-format", "purs-tidy", "sqlformat", "pg_format",
    "sqruff", "addlicense", "beautysh", "js-beautify", "css-beautify", "html-beautify", "verible-verilog-format",
    "typos", "clang-apply-replacements", "licenseheaders", "flynt", "pycln",
    "ufmt", "usort", "reorder-python-imports", "setup-cfg-fmt", "toml-sort", "tombi", "keep-sorted", "treefmt",
    "prettierd", "eslint_d", "rufo", "topiary", "hclfmt", "typstyle", "gersemi", "nufmt", "zprint",
)  # fmt: skip
RUNNERS = (
    "jest", "vitest", "mocha", "ava", "tap", "jasmine", "karma", "uvu", "qunit", "phpunit", "pest", "rspec",
    "minitest", "cucumber", "behave", "nosetests", "nose2", "unittest", "green", "trial", "robot", "bats", "busted",
    "ctest", "web-test-runner", "codecept", "behat", "tape", "hypothesis", "mutmut", "stryker", "infection", "asv",
    "lit", "wdio", "nightwatch", "testcafe", "codeceptjs", "cucumber-js", "detox", "electron", "lage", "ward", "stestr",
    "avocado", "shellspec", "paratest", "kahlan", "atoum", "simple-phpunit", "testplan", "nunit3-console", "xunit",
    "ptw", "pytest-watch", "cosmic-ray", "cram", "zx", "vite-node", "scala-cli",
)  # fmt: skip
