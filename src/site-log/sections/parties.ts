import { ADDITIONAL_INFORMATION, type MemberOf, type Row, type Section } from './section.js';

/** Sections 11 and 12: organisations and their contacts. */

/** The values of a party. */
type PartyMember = MemberOf<'responsibleParties'>;

const CHARACTERS = 'gco:CharacterString';
const PARTY = 'gmd:CI_ResponsibleParty';
const PHONE = `${PARTY}/gmd:contactInfo/gmd:CI_Contact/gmd:phone/gmd:CI_Telephone`;
const ADDRESS = `${PARTY}/gmd:contactInfo/gmd:CI_Contact/gmd:address/gmd:CI_Address`;
const party = (path: string): Row => ({ element: `${path}/${CHARACTERS}` });
const contact = (path: string): Row => ({ ...party(path), personal: true });
const address = (path: string): Row => ({ ...party(`${ADDRESS}/${path}`), public: 'text' });

/** The places of a party in GeodesyML, in its order. */
export const PARTY_ROWS: Readonly<Record<PartyMember, Row>> = {
  notes: { element: 'gml:description', personal: true },
  abbreviation: { element: 'gml:name', public: 'name' },
  individualName: contact(`${PARTY}/gmd:individualName`),
  organisation: { ...party(`${PARTY}/gmd:organisationName`), public: 'name' },
  positionName: contact(`${PARTY}/gmd:positionName`),
  telephone: contact(`${PHONE}/gmd:voice[1]`),
  secondTelephone: contact(`${PHONE}/gmd:voice[2]`),
  fax: contact(`${PHONE}/gmd:facsimile`),
  address: address('gmd:deliveryPoint[*]'),
  city: address('gmd:city'),
  administrativeArea: address('gmd:administrativeArea'),
  postalCode: address('gmd:postalCode'),
  country: address('gmd:country'),
  email: contact(`${ADDRESS}/gmd:electronicMailAddress[*]`),
  others: { element: null, personal: true },
};

/** What the publisher of a log says about it. GeodesyML 0.6 has it in `metadata`. */
export const METADATA_ROWS: Readonly<Record<'license' | 'doi', Row>> = {
  license: { label: 'License' },
  doi: { label: 'DOI' },
};

/**
 * The members of a party that the text form has once for each agency; it has the others once for
 * each contact.
 */
export const AGENCY_MEMBERS = [
  'organisation',
  'abbreviation',
  'address',
  'notes',
  'others',
] as const satisfies PartyMember[];
/** The members of a party that the text form has once for each contact. */
export const CONTACT_MEMBERS = [
  'individualName',
  'telephone',
  'secondTelephone',
  'fax',
  'email',
] as const satisfies PartyMember[];

type ContactMember = (typeof CONTACT_MEMBERS)[number];
const ORDINALS = ['primary', 'secondary'] as const;
/**
 * The name of a value of one of the two contacts in the table of an agency: `primary.telephone`.
 */
export const contactMember = (index: 0 | 1, member: ContactMember): string =>
  `${ORDINALS[index]}.${member}`;

const CONTACT: Record<ContactMember, { label: string; sopac: string }> = {
  individualName: { label: 'Contact Name', sopac: 'name' },
  telephone: { label: 'Telephone (primary)', sopac: 'telephonePrimary' },
  secondTelephone: { label: 'Telephone (secondary)', sopac: 'telephoneSecondary' },
  fax: { label: 'Fax', sopac: 'fax' },
  email: { label: 'E-mail', sopac: 'e-mail' },
};

/** @param before the line before the contact */
const contactRows = (index: 0 | 1, before: string): Record<string, Row> =>
  Object.fromEntries(
    Object.entries(CONTACT).map(([member, { label, sopac }]) => [
      contactMember(index, member as ContactMember),
      {
        label,
        indent: 7,
        ...(member === 'individualName' && { before }),
        sopac: `${ORDINALS[index]}Contact/${sopac}`,
        personal: true,
      },
    ]),
  );

const AGENCY_ROWS: Record<string, Row> = {
  organisation: { label: 'Agency', hint: 'multiple lines', sopac: 'agency' },
  abbreviation: { label: 'Preferred Abbreviation', hint: 'A10', sopac: 'preferredAbbreviation' },
  address: { label: 'Mailing Address', hint: 'multiple lines', sopac: 'mailingAddress' },
  ...contactRows(0, '     Primary Contact'),
  ...contactRows(1, '     Secondary Contact'),
  notes: { ...ADDITIONAL_INFORMATION, personal: true },
  others: { element: null, personal: true },
};

const agency = (number: string, heading: string, element: string, sopac: string): Section => ({
  number,
  heading,
  once: true,
  element,
  sopac,
  rows: AGENCY_ROWS,
});

/** The agencies of the text form, by the part that they have in GeodesyML. */
export const AGENCIES = {
  siteContact: agency(
    '11',
    'On-Site, Point of Contact Agency Information',
    'siteContact',
    'contactAgency',
  ),
  siteMetadataCustodian: agency(
    '12',
    'Responsible Agency (if different from 11.)',
    'siteMetadataCustodian',
    'responsibleAgency',
  ),
} as const;
