# Completes gnss-site-setups in bash: commands, flags, values and files.
_gnss_site_setups() {
  local word=${COMP_WORDS[COMP_CWORD]} words='' files=''
  case "${COMP_WORDS[1]}" in
    serve) words='--check --migrate --config --help --database --host --port --socket --base-url --trust-proxy --allowed-hosts --cors-origin --tls-certificate --tls-key --cache-megabytes --metrics-port --metrics-host --metrics-socket --publish-contacts --access-log --log-level --log-format' ;;
    import) words='--report --dry-run --watch --rescan --quiet-unchanged --config --help --database --jobs' ;;
    check-log) words='--format --level --ignore --baseline --exports --equipment-names --database --geodesyml-schemas --antex --help' ;;
    compare-logs) words='--format --publish-contacts --config --help --database' ;;
    check-rinex) words='--service --at --format --since-last --antex --config --help --database' ;;
    fix-rinex) words='--output --include-equipment --blank-eccentricity --dry-run --service --at --config --help --database' ;;
    convert) words='--to --country --output --publish-contacts --help' ;;
    lookup) words='--at --provenance --json --format --config --help --database' ;;
    sites) words='--q --site --agency --bbox --near --radius --country-code --filter --sort --retired --format --config --help --database' ;;
    export) words='--format --at --query --output --notes --config --help --database' ;;
    log) words='--dry-run --recorded-since --withdrawn-since --config --help --database' ;;
    site) words='--dry-run --config --help --database' ;;
    backup) words='--config --help --database' ;;
    restore) words='--config --help --database' ;;
    migrate) words='--config --help --database' ;;
    copy) words='--from --to --help' ;;
    verify) words='--config --help --database' ;;
    export-schemas) words='--help' ;;
    completion) words='--help' ;;
  esac
  # A flag and its value; or the command itself and its first argument.
  [[ $word == -* ]] || case "${COMP_WORDS[1]} ${COMP_WORDS[COMP_CWORD - 1]}" in
    'export export') words='sites setups installations changes findings snx station-info sta rinex offsets.csv offsets.snx rinex.zip' ;;
    'export --format') words='csv ndjson geojson' ;;
    'log log') words='list withdraw restore rejected' ;;
    'site site') words='retire unretire rename' ;;
    'completion completion') words='bash zsh' ;;
    'check-log --format') words='text json ndjson github sarif' ;;
    'check-log --level') words='info warning error' ;;
    'compare-logs --format') words='text json' ;;
    'convert --to') words='text1 text2 geodesyml04 geodesyml05' ;;
    'fix-rinex --blank-eccentricity') words='zero' ;;
    *' --format') words='table json ndjson csv' ;;
    *' --log-level') words='trace debug info warn error fatal silent' ;;
    *' --log-format') words='text json' ;;
    *' --jobs') words='auto' ;;
    *' --config' | *' --database' | *' --socket' | *' --metrics-socket' | *' --tls-certificate' | *' --tls-key') files=yes ;;
    *' --report' | *' --output' | *' --notes' | *' --from' | *' --to' | *' --since-last' | *' --antex' | *' --geodesyml-schemas') files=yes ;;
    'import '* | 'check-log '* | 'compare-logs '* | 'check-rinex '* | 'fix-rinex '* | 'convert '* | 'backup '* | 'restore '* | 'export-schemas '*) files=yes ;;
    *) words='' ;;
  esac
  ((COMP_CWORD > 1)) || words='serve import check-log compare-logs check-rinex fix-rinex convert lookup sites export log site backup restore migrate copy verify export-schemas completion --help --version'
  COMPREPLY=()
  if [[ $files == yes ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  fi
}
complete -F _gnss_site_setups gnss-site-setups
