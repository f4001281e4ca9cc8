#compdef gnss-site-setups
# Completes gnss-site-setups in zsh: commands, flags, values and files. In a folder of fpath, its name is _gnss-site-setups.
_gnss-site-setups() {
  if ((CURRENT == 2)); then
    compadd -- serve import check-log compare-logs check-rinex fix-rinex convert lookup sites export log site backup restore migrate copy verify export-schemas completion --help --version
    return
  fi
  shift words
  ((CURRENT--))
  case $words[1] in
    serve) _arguments --check --migrate '--config=:config:_files' --help '--database=:database:_files' '--host=:host: ' '--port=:port: ' \
      '--socket=:socket:_files' '--base-url=:base-url: ' '--trust-proxy=:trust-proxy: ' '--allowed-hosts=:allowed-hosts: ' \
      '*--cors-origin=:cors-origin: ' '--tls-certificate=:tls-certificate:_files' '--tls-key=:tls-key:_files' \
      '--cache-megabytes=:cache-megabytes: ' \
      '--metrics-port=:metrics-port: ' '--metrics-host=:metrics-host: ' '--metrics-socket=:metrics-socket:_files' --publish-contacts \
      --access-log '--log-level=:log-level:(trace debug info warn error fatal silent)' '--log-format=:log-format:(text json)' ;;
    import) _arguments '*:file:_files' '--report=:report:_files' --dry-run --watch '--rescan=:rescan: ' --quiet-unchanged \
      '--config=:config:_files' --help '--database=:database:_files' '--jobs=:jobs:(auto)' ;;
    check-log) _arguments '*:file:_files' '--format=:format:(text json ndjson github sarif)' '--level=:level:(info warning error)' \
      '*--ignore=:ignore: ' '--baseline=:baseline:_files' --exports '--equipment-names=:equipment-names:_files' '--database=:database:_files' \
      '--geodesyml-schemas=:geodesyml-schemas:_files' '--antex=:antex:_files' --help ;;
    compare-logs) _arguments '*:file:_files' '--format=:format:(text json)' --publish-contacts '--config=:config:_files' --help \
      '--database=:database:_files' ;;
    check-rinex) _arguments '*:file:_files' '--service=:service: ' '--at=:at: ' '--format=:format:(table json ndjson csv)' \
      '--since-last=:since-last:_files' '--antex=:antex:_files' '--config=:config:_files' --help '--database=:database:_files' ;;
    fix-rinex) _arguments '*:file:_files' '--output=:output:_files' --include-equipment '--blank-eccentricity=:blank-eccentricity:(zero)' --dry-run '--service=:service: ' '--at=:at: ' \
      '--config=:config:_files' --help '--database=:database:_files' ;;
    convert) _arguments '*:file:_files' '--to=:to:(text1 text2 geodesyml04 geodesyml05)' '--country=:country: ' \
      '--output=:output:_files' --publish-contacts --help ;;
    lookup) _arguments '--at=:at: ' --provenance --json '--format=:format:(table json ndjson csv)' '--config=:config:_files' --help \
      '--database=:database:_files' ;;
    sites) _arguments '--q=:q: ' '*--site=:site: ' '*--agency=:agency: ' '--bbox=:bbox: ' '--near=:near: ' '--radius=:radius: ' '*--country-code=:country-code: ' \
      '*--filter=:filter: ' '*--sort=:sort: ' --retired '--format=:format:(table json ndjson csv)' '--config=:config:_files' --help \
      '--database=:database:_files' ;;
    export) _arguments '1:name:(sites setups installations changes findings snx station-info sta rinex offsets.csv offsets.snx rinex.zip)' '--format=:format:(csv ndjson geojson)' '--at=:instant: ' '--query=:query: ' \
      '--output=:output:_files' '--notes=:notes:_files' '--config=:config:_files' --help '--database=:database:_files' ;;
    log) _arguments '1:action:(list withdraw restore rejected)' --dry-run '--recorded-since=:time: ' '--withdrawn-since=:time: ' \
      '--config=:config:_files' --help '--database=:database:_files' ;;
    site) _arguments '1:action:(retire unretire rename)' --dry-run '--config=:config:_files' --help '--database=:database:_files' ;;
    backup) _arguments '*:file:_files' '--config=:config:_files' --help '--database=:database:_files' ;;
    restore) _arguments '*:file:_files' '--config=:config:_files' --help '--database=:database:_files' ;;
    migrate) _arguments '--config=:config:_files' --help '--database=:database:_files' ;;
    copy) _arguments '--from=:from:_files' '--to=:to:_files' --help ;;
    verify) _arguments '--config=:config:_files' --help '--database=:database:_files' ;;
    export-schemas) _arguments '*:file:_files' --help ;;
    completion) _arguments '1:shell:(bash zsh)' --help ;;
  esac
}
# In a folder of fpath, the file is the body of the function itself.
if [[ $funcstack[1] == _gnss-site-setups ]]; then _gnss-site-setups "$@"; else compdef _gnss-site-setups gnss-site-setups; fi
