"""R and Julia -> their words."""

from __future__ import annotations

from limpet.policy.code.tokens import Lexicon
from limpet.policy.code.vocabulary import Vocabulary, powers, words

R = Vocabulary(
    language="r",
    lexicon=Lexicon(comments=("#",), plain="'\"", word=r"[A-Za-z.][A-Za-z0-9._]*", lines=True, bad=r"`|[rR][\"']"),
    safe=words("""
        if else for while repeat function in next break TRUE FALSE NULL NA NaN Inf T F return invisible c list vector
        matrix array data.frame factor cat print paste paste0 sprintf format message nchar substr strsplit toupper
        tolower gsub sub grepl regmatches trimws rev sort order unique length nrow ncol dim names colnames rownames sum
        mean median sd var min max range quantile round floor ceiling abs sqrt exp log log2 log10 seq seq_len seq_along
        rep head tail summary str table apply sapply lapply vapply Reduce Filter which any all is.na is.null ifelse
        stopifnot as.numeric as.integer as.character as.Date as.logical Sys.time Sys.Date Sys.getenv date
        R.version.string R.version sessionInfo packageVersion installed.packages version read.csv read.table readLines
        readRDS file.exists basename dirname getwd list.files nlevels levels cumsum cumprod diff crossprod t solve
        rnorm runif set.seed sample lm anova t.test cor commandArgs quit q stop warning tryCatch error suppressWarnings
        suppressMessages suppressPackageStartupMessages strtoi rbind cbind merge aggregate with within subset identical
        pi LETTERS letters month.name requireNamespace quietly is.function class inherits nargs missing toString
        utf8ToInt intToUtf8 chartr rownames mapply outer
    """),
    powers=powers(
        command="system system2 shell shell.exec pipe",
        delete="unlink file.remove",
        write_all="write.csv write.table writeLines saveRDS save sink write dump pdf png jpeg svg tiff dir.create "
        "file.create file.rename file.append file.copy ggsave save.image",
        link="file.symlink",
        open="file gzfile bzfile",
        network="download.file url socketConnection install.packages update.packages curl remotes devtools "
        "install_github available.packages browseURL httr",
        eval="eval parse source do.call match.fun get mget get0 assign load dyn.load library.dynam .Call .C "
        ".External sys.source Recall environment globalenv attach sys.function body formals as.function "
        "getFromNamespace evalq str2lang",
        opaque="Sys.setenv setwd Sys.chmod fifo unz tempfile reg.finalizer parallel mclapply processx callr reticulate",
        kill="pskill tools",
    ),
    importers=words("library require"),
    modules={"processx": "command", "callr": "command", "sys": "command", "httr": "network", "curl": "network"},
    declare=words("for function"),
    functions=words("function"),
    members=frozenset(("$", "::", "@")),
    free_members=True,
)

JULIA = Vocabulary(
    language="julia",
    lexicon=Lexicon(
        comments=("#",), never=r"#=", live='"', ticks="`", insert="$(", sigils="", lines=True,
        bad=r"'|\"\"\"|@",
    ),
    safe=words("""
        if else elseif end for while in function return true false nothing missing begin let local const global struct
        print println show display string length size sum prod maximum minimum mean sort sort! reverse map filter
        reduce foreach collect push! pop! append! range zeros ones rand randn round floor ceil abs sqrt exp log sin cos
        tan parse Int Int64 Float64 String Bool Vector Matrix Array Dict Set Tuple split join strip replace uppercase
        lowercase startswith endswith occursin VERSION typeof isa zip enumerate keys values haskey get pi div mod rem
        gcd lcm readline readlines read isfile isdir basename dirname joinpath pwd ARGS PROGRAM_FILE exit cumsum any
        all findfirst factorial binomial big BigInt transpose inv det tr LinearAlgebra Statistics Printf Dates now
        today
    """),
    powers=powers(
        command="run pipeline Cmd",
        delete="rm",
        write_all="write touch mkdir mkpath mv cp",
        link="symlink",
        change="chmod chown",
        open="open",
        network="download connect listen HTTP Sockets Downloads Pkg",
        eval="eval include include_string Meta ccall cglobal Libdl invokelatest getfield getproperty Core Base Main",
        kill="kill",
        opaque="cd ENV withenv Distributed addprocs spawn mktemp mktempdir tempname redirect_stdout unsafe_load",
    ),
    importers=words("using import"),
    modules={"HTTP": "network", "Sockets": "network", "Downloads": "network", "Pkg": "network", "Libdl": "eval"},
    declare=words("for function local const global struct"),
    functions=words("function"),
    free_members=True,
)  # fmt: skip
