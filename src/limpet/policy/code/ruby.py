"""Ruby -> its words."""

from __future__ import annotations

from limpet.policy.code.tokens import Lexicon
from limpet.policy.code.vocabulary import Vocabulary, powers, words

_SAFE = words("""
    BEGIN END alias and begin break case class def defined? do else elsif end ensure false for if in module next nil
    not or redo rescue retry return self super then true undef unless until when while yield __FILE__ __LINE__
    __method__ raise puts print p pp printf putc sprintf format gets readlines readline loop lambda proc times each
    each_with_index map flat_map select filter reject reduce inject sum min max min_by max_by minmax sort sort_by
    group_by partition zip first last take drop take_while drop_while count size length empty? any? all? none? one?
    include? index rindex find detect find_all each_slice each_cons each_char chars bytes lines each_line each_byte
    split join strip lstrip rstrip chomp chop chomp! gsub sub gsub! sub! tr delete squeeze scan match match?
    start_with? end_with? upcase downcase capitalize swapcase reverse upcase! downcase! capitalize! swapcase! strip!
    lstrip! rstrip! squeeze! tr! tr_s chop! reverse! map! select! reject! sort! uniq! flatten! compact! to_s to_i to_f
    to_a to_h to_sym to_r to_c inspect center ljust rjust ord chr hex oct succ upto downto step rand srand Integer
    Float String Array Hash Rational Complex Symbol Range Set Struct Comparable Enumerable Time Date DateTime now today
    strftime parse iso8601 year month day hour minute second new keys values key? has_key? value? fetch dig merge
    to_json each_pair each_key each_value transform_values transform_keys invert store default compact flatten uniq
    tally push pop shift unshift append prepend insert concat slice rotate shuffle sample transpose product combination
    permutation each_with_object with_index cycle lazy force abs ceil floor round divmod zero? positive? negative?
    even? odd? nil? is_a? kind_of? respond_to? instance_of? object_id hash dup clone freeze frozen? tap then class
    methods name Math PI E sqrt sin cos tan log log2 log10 exp hypot Process clock_gettime CLOCK_MONOTONIC pid
    RUBY_VERSION RUBY_PLATFORM RUBY_ENGINE RUBY_PATCHLEVEL RUBY_DESCRIPTION ARGV ENV STDIN STDOUT STDERR ARGF read
    sleep exit abort JSON pretty_generate generate YAML safe_load safe_load_file load_file dump CSV parse foreach
    Digest MD5 SHA1 SHA256 SHA512 hexdigest digest Base64 encode64 decode64 strict_encode64 strict_decode64
    SecureRandom uuid File exist? file? directory? basename dirname extname join expand_path size? mtime readable?
    writable? symlink? stat Dir glob pwd children entries IO Pathname read_text Kernel Object Regexp escape union
    Benchmark measure realtime bm report encode force_encoding unpack unpack1 pack unicode_normalize encoding
    valid_encoding? b attr_accessor attr_reader attr_writer initialize private public protected include extend
    Exception StandardError RuntimeError ArgumentError message backtrace full_message Gem version Version Bundler
    VERSION spaceship ERB result Integer? nan? infinite? sync flush write sum tempfile gcd lcm pow digits bit_length
    cover? between? clamp then itself
""")

_POWERS = powers(
    command="system exec popen capture2 capture3 capture2e popen2 popen3 spawn pipeline",
    delete="unlink rm rmdir rm_f remove remove_file safe_unlink",
    delete_tree="rm_rf rm_r remove_entry_secure remove_dir remove_entry rmtree",
    write="binwrite mkdir mkdir_p makedirs touch truncate mkfifo",
    write_second="cp cp_r copy copy_file copy_entry install",
    link="ln ln_s symlink link ln_sf",
    write_all="mv move rename",
    change="chmod chmod_R chown chown_R utime lchmod",
    open="open sysopen",
    network="TCPSocket UDPSocket UNIXSocket TCPServer Socket Net HTTP URI FTP SMTP OpenURI Faraday HTTParty "
    "RestClient WEBrick get_response urlopen Telnet SSH",
    eval="eval instance_eval class_eval module_eval instance_exec class_exec binding load require_relative autoload "
    "define_method send __send__ public_send method instance_method const_get method_missing Marshal RubyVM "
    "unsafe_load ObjectSpace TOPLEVEL_BINDING set_trace_func trace_var remove_method const_missing callcc",
    kill="kill",
    fork="fork daemon",
    opaque="syscall Fiddle DL Win32API PTY expect trap at_exit chdir chroot setuid setgid FileUtils Shell DRb Open3 "
    "test Tempfile Process::Sys reopen dup2 fcntl ioctl instance_variable_set const_set global_variables Signal "
    "local_variable_set ruby inline",
)

_MODULES = dict.fromkeys(
    words("""
    json set date time yaml csv digest digest/md5 digest/sha1 digest/sha2 base64 securerandom pp bigdecimal benchmark
    ostruct optparse pathname erb stringio strscan shellwords tsort matrix prime forwardable singleton delegate
    observer abbrev English io/console etc rbconfig zlib rexml/document bundler rubygems fileutils open3 tempfile
    timeout
    """),
    "",
)

RUBY = Vocabulary(
    language="ruby",
    lexicon=Lexicon(
        comments=("#",), plain="'", live='"', ticks="`", insert="#{", patterns=True, sigils="$@", lines=True,
        before_pattern=words("if unless and or not when while until return puts p print split scan match sub gsub "
        "in grep"),
        bad=r"%[xqQwWiIrs]?[^A-Za-z0-9 \t\n=]|<<[~-]?[A-Za-z_\"'`]|__END__|=begin|\?[^A-Za-z0-9_ \t\n:.)]",
    ),
    safe=_SAFE,
    powers=_POWERS,
    qualified={
        **dict.fromkeys(("File.delete", "Dir.delete", "Dir.unlink", "Pathname.delete"), "delete"),
        **dict.fromkeys(("File.write", "IO.write"), "write"), "File.symlink": "link", "File.new": "open",
    },
    importers=words("require"),
    modules={**_MODULES, "socket": "network", "net/http": "network", "open-uri": "network", "pty": "command"},
    other_modules="",
    declare=words("def class module rescue"),
    functions=words("def"),
    members=frozenset((".", "&.", "::")),
    pipes=True,
)  # fmt: skip
