"""Names of tools that bundle, lint, format and test, by what they do with the files they are given."""

from __future__ import annotations

BUNDLERS = (
    "tsc", "babel", "webpack", "rollup", "esbuild", "parcel", "swc", "tsup", "terser", "uglifyjs", "postcss",
    "tailwindcss", "microbundle", "ncc", "tsc-watch", "vue-tsc", "svelte-check", "ng-packagr", "rspack", "gulp",
    "grunt", "storybook", "typedoc", "jsdoc", "api-extractor", "size-limit", "depcheck", "knip", "madge", "cspell",
    "commitlint", "lint-staged", "tsd", "publint", "attw",
)  # fmt: skip
LINTERS = (
    "eslint", "stylelint", "pylint", "flake8", "pyright", "basedpyright", "pytype", "pyre", "ty", "bandit",
    "vulture", "radon", "pydocstyle", "pycodestyle", "pyflakes", "codespell", "yamllint", "shellcheck", "hadolint",
    "markdownlint", "jshint", "markdownlint-cli2", "tslint", "htmlhint", "actionlint", "phpstan", "psalm", "phpcs",
    "checkstyle", "vale", "cppcheck", "clang-tidy", "cpplint", "iwyu", "sqlfluff", "luacheck", "tflint",
    "import-linter", "lint-imports", "detect-secrets", "djlint", "ansible-lint", "dotenv-linter", "ajv", "jsonlint",
    "xo", "standard", "oxlint", "check-jsonschema", "proselint", "misspell", "pydoclint", "interrogate", "deptry",
    "refurb", "slotscheck", "taplo", "buf",
)  # fmt: skip
FORMATTERS = (
    "prettier", "black", "isort", "autopep8", "yapf", "autoflake", "pyupgrade", "docformatter", "rustfmt",
    "clang-format", "shfmt", "biome", "dprint", "stylua", "gofumpt", "rubocop", "standardrb", "php-cs-fixer",
    "phpcbf", "ocamlformat", "ormolu", "fourmolu", "hlint", "nixfmt", "alejandra", "cmake-format", "yamlfmt",
    "add-trailing-comma", "blacken-docs", "xmllint", "tidy", "scalafix", "cljfmt", "mdformat", "sort-package-json",
    "jsonnetfmt", "terraform-docs", "buildifier", "fixjson",
)  # fmt: skip
RUNNERS = (
    "jest", "vitest", "mocha", "ava", "tap", "jasmine", "karma", "uvu", "qunit", "phpunit", "pest", "rspec",
    "minitest", "cucumber", "behave", "nosetests", "nose2", "unittest", "green", "trial", "robot", "bats", "busted",
    "ctest", "web-test-runner", "codecept", "behat", "tape", "hypothesis", "mutmut", "stryker", "infection", "asv",
    "lit",
)  # fmt: skip
