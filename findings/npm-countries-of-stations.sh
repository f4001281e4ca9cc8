#!/bin/sh
# A nine-character station name ends with an ISO country code, such as GUF in KOUR00GUF. Four npm packages
# tell that code for coordinates, and disagree. country-iso 2.0.5 lists territory and state in no fixed
# order: GUF, FRA for Kourou, but FRA, REU for Réunion. @rapideditor/country-coder 5.6.1 gives the state,
# FRA for both, DNK for Greenland; the territory only with { level: 'territory' }. which-country 1.0.0 and
# country-reverse-geocoding 0.2.2 give GUF and GRL, but none for Réunion, Diego Garcia and McMurdo Sound.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts country-iso@2.0.5 \
  @rapideditor/country-coder@5.6.1 which-country@1.0.0 country-reverse-geocoding@0.2.2 >&2

cat > find.js <<'JS'
import { iso1A3Code } from '@rapideditor/country-coder';
import countryIso from 'country-iso';
import reverse from 'country-reverse-geocoding';
import whichCountry from 'which-country';

const { get_country: getCountry } = reverse.country_reverse_geocoding();
const finders = {
  'country-iso': (longitude, latitude) => countryIso.get(latitude, longitude).join(' '),
  'country-coder': (...place) => iso1A3Code(place),
  'country-coder, territory': (...place) => iso1A3Code(place, { level: 'territory' }),
  'which-country': (...place) => whichCountry(place),
  'country-reverse-geocoding': (longitude, latitude) => getCountry(latitude, longitude)?.code,
};
const places = {
  Hobart: [147.44, -42.8],
  Kourou: [-52.81, 5.25],
  Réunion: [55.57, -21.21],
  'Thule in Greenland': [-68.83, 76.54],
  'Ny-Ålesund in Svalbard': [11.87, 78.93],
  'Diego Garcia': [72.37, -7.27],
  'McMurdo Sound': [166.76, -77.85],
};
for (const [name, place] of Object.entries(places)) {
  const found = Object.entries(finders).map(([finder, find]) => `${finder} ${find(...place) ?? 'none'}`);
  console.log(`${name}: ${found.join(', ')}`);
}
JS
node find.js > seen

cat > expected <<'SEEN'
Hobart: country-iso AUS, country-coder AUS, country-coder, territory AUS, which-country AUS, country-reverse-geocoding AUS
Kourou: country-iso GUF FRA, country-coder FRA, country-coder, territory GUF, which-country GUF, country-reverse-geocoding GUF
Réunion: country-iso FRA REU, country-coder FRA, country-coder, territory REU, which-country none, country-reverse-geocoding none
Thule in Greenland: country-iso GRL, country-coder DNK, country-coder, territory GRL, which-country GRL, country-reverse-geocoding GRL
Ny-Ålesund in Svalbard: country-iso SJM NOR, country-coder NOR, country-coder, territory SJM, which-country NOR, country-reverse-geocoding NOR
Diego Garcia: country-iso IOT, country-coder GBR, country-coder, territory IOT, which-country none, country-reverse-geocoding none
McMurdo Sound: country-iso ATA, country-coder ATA, country-coder, territory ATA, which-country none, country-reverse-geocoding none
SEEN
diff expected seen && cat seen
