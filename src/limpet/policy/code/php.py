"""PHP -> its words."""

from __future__ import annotations

from limpet.policy.code.tokens import Lexicon
from limpet.policy.code.vocabulary import Vocabulary, powers, words

_SAFE = words("""
    abstract and array as break case catch class clone const continue declare default do echo else elseif empty enum
    extends final finally fn for foreach function global if implements instanceof interface isset list match namespace
    new or print private protected public readonly return static switch throw trait try unset use var while xor yield
    true false null strict_types int float string bool mixed void self parent object iterable var_dump print_r
    var_export printf sprintf vsprintf vprintf number_format strlen count sizeof implode explode join trim ltrim rtrim
    str_replace str_ireplace substr strpos stripos strrpos strtolower strtoupper ucfirst ucwords lcfirst str_repeat
    str_pad str_split strrev nl2br htmlspecialchars html_entity_decode htmlentities strip_tags addslashes stripslashes
    wordwrap similar_text levenshtein soundex metaphone md5 sha1 crc32 hash hash_algos base64_encode base64_decode
    bin2hex hex2bin urlencode urldecode rawurlencode rawurldecode http_build_query parse_url parse_str json_encode
    json_decode json_last_error json_last_error_msg serialize intdiv abs ceil floor round max min sqrt pow pi rand
    mt_rand random_int random_bytes mt_srand is_array is_string is_int is_numeric is_null is_bool is_float is_object
    is_callable in_array array_keys array_values array_merge array_slice array_splice array_unique array_reverse
    array_sum array_product array_search array_key_exists array_flip array_fill array_combine array_column array_chunk
    array_diff array_intersect array_pop array_push array_shift array_unshift array_key_first array_key_last array_rand
    range compact sort rsort ksort krsort asort arsort shuffle current key next reset end date time mktime strtotime
    microtime date_default_timezone_set date_default_timezone_get checkdate gmdate hrtime usleep sleep DateTime
    DateTimeImmutable DateInterval DateTimeZone modify diff add sub getTimestamp setTimezone PHP_VERSION PHP_EOL PHP_OS
    PHP_OS_FAMILY PHP_INT_MAX PHP_INT_MIN PHP_FLOAT_EPSILON PHP_BINARY DIRECTORY_SEPARATOR JSON_PRETTY_PRINT
    JSON_UNESCAPED_SLASHES JSON_UNESCAPED_UNICODE JSON_THROW_ON_ERROR E_ALL phpversion phpinfo php_uname php_sapi_name
    php_ini_loaded_file php_ini_scanned_files extension_loaded get_loaded_extensions ini_get ini_get_all
    function_exists class_exists memory_get_usage memory_get_peak_usage getenv gettype settype intval floatval strval
    boolval ord chr dechex hexdec bindec decbin octdec base_convert file_exists is_file is_dir is_readable is_writable
    filesize filemtime basename dirname pathinfo realpath getcwd glob scandir file_get_contents file fgets feof fread
    readfile STDIN STDOUT STDERR stream_get_contents stream_get_line exit die preg_match preg_match_all preg_split
    preg_quote preg_replace mb_strlen mb_substr mb_strtoupper mb_strtolower mb_strpos mb_convert_case iconv utf8_encode
    utf8_decode ctype_digit ctype_alpha ctype_alnum ctype_upper ctype_lower filter_var FILTER_VALIDATE_EMAIL
    FILTER_VALIDATE_INT FILTER_VALIDATE_URL Exception getMessage Error error_reporting uniqid sys_get_temp_dir
    gethostname version_compare opcache_get_status password_hash password_verify PASSWORD_DEFAULT PASSWORD_BCRYPT argc
    argv format PHP_MAJOR_VERSION PHP_MINOR_VERSION spl_object_id get_class is_a str_contains str_starts_with
    str_ends_with array_is_list fclose
""")

_POWERS = powers(
    command="system exec shell_exec passthru popen proc_open pcntl_exec",
    delete="unlink rmdir",
    write="file_put_contents mkdir touch tempnam error_log move_uploaded_file",
    link="symlink link",
    write_second="copy",
    write_all="rename",
    change="chmod chown chgrp lchown",
    open="fopen SplFileObject",
    network="fsockopen pfsockopen stream_socket_client stream_socket_server socket_create socket_connect curl_init "
    "curl_exec mail ftp_connect mysqli_connect PDO SoapClient get_headers dns_get_record gethostbyname ssh2_connect "
    "ldap_connect",
    eval="eval assert create_function include include_once require require_once call_user_func call_user_func_array "
    "preg_replace_callback unserialize ReflectionFunction invoke invokeArgs register_shutdown_function FFI dl "
    "array_map array_filter array_walk usort uasort uksort array_reduce ob_start forward_static_call "
    "preg_replace_callback_array iterator_apply extract parse_ini_file array_udiff is_callable Closure",
    kill="posix_kill",
    fork="pcntl_fork",
    opaque="putenv ini_set ini_alter set_include_path chdir chroot posix_setuid apache_setenv virtual expect_popen "
    "stream_wrapper_register spl_autoload_register highlight_file show_source fputs fwrite COM imap_open",
)

PHP = Vocabulary(
    language="php",
    lexicon=Lexicon(
        comments=("//", "#"), block=("/*", "*/"), plain="'", live='"', ticks="`", sigils="$",
        unsure=r"\{\$[A-Za-z_0-9]*[^A-Za-z_0-9}\['\]\"-]|\$\{|\{\$[^}]*[({]",
        never=r"\?>|#\[", bad=r"<<<|\$\$|\$\{|__halt_compiler",
    ),
    safe=_SAFE - words("is_callable"),
    powers=_POWERS,
    declare=words("class const function"),
    functions=words("function"),
    members=frozenset(("->", "::", "?->")),
    free_members=True,
)  # fmt: skip
