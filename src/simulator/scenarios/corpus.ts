/** The little web that the simulator searches: invented pages about lighthouses, on reserved domains. */

/** A page before it has a result id. */
export interface Page {
  url: string;
  title: string;
  snippet: string;
  date?: string;
  last_updated?: string;
}

type Row = readonly [url: string, title: string, snippet: string, date?: string | undefined, lastUpdated?: string];

function pages(rows: readonly Row[]): Page[] {
  return rows.map(([url, title, snippet, date, lastUpdated]) => ({
    url,
    title,
    snippet,
    ...(date !== undefined && { date }),
    ...(lastUpdated !== undefined && { last_updated: lastUpdated }),
  }));
}

/** One search: what was asked, and ten pages in the order of their rank. */
export interface SearchTopic {
  query: string;
  pages: Page[];
}

/** Of each topic's ten pages, the first is the one that an answer cites. */
export const AUTOMATION: SearchTopic = {
  query: 'when were lighthouses automated',
  pages: pages([
    [
      'https://lights.example.org/automation',
      'How the lights were automated',
      'The last keeper on this coast left in 1998; since then every lamp is switched and watched from one control room.',
      '2024-03-18',
      '2026-08-02',
    ],
    [
      'https://coast.example.com/keepers-leave',
      'The day the keepers left',
      'Automation came in three waves: fog signals first, then the lamps, then the watch itself.',
      '2019-11-04',
    ],
    [
      'https://museum.example.net/timeline',
      'A timeline of the service',
      'Acetylene gas and the sun valve let a lamp run unattended as early as 1912.',
      undefined,
      '2026-05-21',
    ],
    [
      'https://lights.example.org/control-room',
      'Inside the control room',
      'One duty officer watches more than sixty stations through the night.',
      '2025-02-10',
      '2026-08-02',
    ],
    [
      'https://news.example.com/harbour-light',
      'Harbour light switched by an app',
      'Skippers of small boats can ask for the full beam by radio.',
      '2026-06-30',
    ],
    [
      'https://archive.example.org/logbooks',
      'Logbooks of the last years',
      'Scans of the watch logs from 1960 to the end of the manned service.',
      undefined,
      '2025-12-01',
    ],
    [
      'https://coast.example.com/sun-valve',
      'The sun valve explained',
      'A blackened rod grows warm at dawn and shuts the gas; at dusk it cools and opens it.',
      '2021-07-15',
    ],
    ['https://forum.example.net/t/411', 'Was your light manned?', '', '2018-01-09'],
    [
      'https://engineering.example.com/telemetry',
      'Telemetry for aids to navigation',
      'A station reports lamp current, battery charge and door state once a minute.',
      '2023-10-22',
      '2026-01-17',
    ],
    [
      'https://lights.example.org/visiting',
      'Visiting a lighthouse',
      'Many towers open on summer weekends; stairs are steep and there is no lift.',
      undefined,
      '2026-04-11',
    ],
  ]),
};

/** See `AUTOMATION`. Its third page is also found by that search, so one URL gets two ids. */
export const OPTICS: SearchTopic = {
  query: 'led lamps in lighthouses range',
  pages: pages([
    [
      'https://optics.example.com/led-range',
      'How far an LED light carries',
      'A 70-watt LED in a second-order lens still reaches 18 nautical miles, where the old lamp drew 1,000 watts.',
      '2025-09-03',
      '2026-07-19',
    ],
    [
      'https://optics.example.com/fresnel',
      'What a Fresnel lens does',
      'Rings of prisms bend almost all the light into one flat beam.',
      '2020-05-27',
    ],
    [
      'https://lights.example.org/automation',
      'How the lights were automated',
      'The last keeper on this coast left in 1998; since then every lamp is switched and watched from one control room.',
      '2024-03-18',
      '2026-08-02',
    ],
    [
      'https://engineering.example.com/solar',
      'Solar power for offshore towers',
      'Panels and a week of battery replace the diesel sets.',
      '2024-12-12',
    ],
    [
      'https://birds.example.net/light-and-migration',
      'Light and migrating birds',
      'A steady beam draws more birds than a flashing one.',
      undefined,
      '2026-02-08',
    ],
    [
      'https://news.example.com/old-lens-saved',
      'Town keeps its old lens',
      'The 1871 lens stays in the tower, dark, above the new lamp.',
      '2026-03-05',
    ],
    [
      'https://museum.example.net/lamps',
      'From oil to LED',
      'Rapeseed oil, paraffin, electricity, and now diodes.',
      '2017-08-30',
    ],
    [
      'https://forum.example.net/t/977',
      'Do LEDs look colder?',
      'Most sailors say yes and stop noticing after a week.',
      '2024-01-20',
    ],
    [
      'https://standards.example.org/colours',
      'Colours of marine lights',
      'White, red, green and yellow have fixed limits of chromaticity.',
    ],
    [
      'https://optics.example.com/maintenance',
      'Cleaning a lens',
      'Spirit of wine, soft cotton, and nobody in a hurry.',
      '2016-04-02',
    ],
  ]),
};

/** See `AUTOMATION`. */
export const NAVIGATION: SearchTopic = {
  query: 'do ships still need lighthouses with gps',
  pages: pages([
    [
      'https://pilots.example.org/why-lights',
      'Why pilots still want lights',
      'Satellite positions can be jammed; a light that is where the chart says it is cannot.',
      '2026-01-25',
      '2026-09-14',
    ],
    [
      'https://pilots.example.org/night-entry',
      'Entering port at night',
      'Leading lights in line are the quickest check there is.',
      '2022-06-18',
    ],
    [
      'https://news.example.com/gps-outage',
      'Six hours without GPS',
      'Ferries kept to the timetable by radar, compass and the old lights.',
      '2025-11-11',
    ],
    [
      'https://charts.example.com/symbols',
      'Reading light characters',
      'Fl(2) 10s 34m 18M: two flashes every ten seconds, 34 metres high, seen for 18 miles.',
      undefined,
      '2026-06-06',
    ],
    [
      'https://coast.example.com/costs',
      'What a light costs',
      'A tower costs about as much a year as two lorries.',
      '2023-03-03',
    ],
    [
      'https://standards.example.org/backup',
      'Backup for satellite navigation',
      'Administrations keep physical aids as the layer that fails last.',
      '2024-08-19',
    ],
    [
      'https://forum.example.net/t/1203',
      'Small boats and lights',
      'My plotter died off the point. The light did not.',
      '2026-07-27',
    ],
    [
      'https://museum.example.net/wrecks',
      'Wrecks before the light',
      'Forty-one ships in thirty years; after the tower, three.',
      '2015-10-10',
    ],
    [
      'https://engineering.example.com/ais',
      'Virtual marks',
      'A mark that exists only on a screen is gone when the screen is.',
      '2023-05-09',
    ],
    [
      'https://pilots.example.org/training',
      'Training without a screen',
      'Cadets take bearings of three lights in their first week.',
      undefined,
      '2026-03-30',
    ],
  ]),
};

/** The page that `fetch` scenarios read. */
export const FETCHED: Page = {
  url: 'https://standards.example.org/backup',
  title: 'Backup for satellite navigation',
  snippet:
    '## Which aids remain\n\nEach administration keeps at least one physical aid for every charted approach. Lights with a range of 15 miles or more are inspected twice a year.\n\n## Reporting\n\nAn outage of more than six hours is reported to the hydrographic office.',
};

/** Answers. `{1}`, `{2}` and `{3}` are places of citation markers. */
export const ANSWERS = {
  plain:
    'A lighthouse lamp turns so that its beam sweeps the horizon. Each light has its own rhythm, and a sailor who counts the seconds between flashes can tell from the chart which tower it is.',
  search:
    'Lighthouses on this coast have been unmanned since 1998 and are watched from a single control room{1}. The lamps had long been able to run alone: gas lamps with a sun valve did so from 1912{2}.',
  parallel:
    'Three things changed. **Keepers:** the last one left in 1998{1}. **Lamps:** a 70-watt LED now reaches 18 nautical miles{2}. **Purpose:** pilots keep the lights because satellite positions can be jammed{3}.',
  fetched:
    'Lights with a range of 15 miles or more are inspected twice a year, and an outage of over six hours is reported. [web:0]',
  cutShort:
    'The history of lighthouses begins with fires on headlands. Towers followed, then lenses, and with them the first lists of lights, in which every',
  broken: 'The lamp itself is a small part of the story, because what matters most to a',
} as const;
