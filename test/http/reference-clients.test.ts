import t from 'tap';
import { SAMPLE } from '../project-files.js';
import { openService } from '../service.js';
import { elementsIn, type Paged } from './answers.js';
import { type Log, membersIn, ORIGIN, replay, searchOf } from './reference-clients.js';

t.test(
  'the clients of the reference service find all that they read, over the sample network',
  async (t) => {
    const service = await openService(t, [SAMPLE], { corsOrigins: [ORIGIN] });
    await replay(t, service, 3, 1);
    for (const { siteIdentification, siteLocation } of elementsIn(
      (await service.get('/siteLogs?size=2000')).json<Paged<Log>>(),
    )) {
      for (const name of ['latitude', 'longitude'])
        t.type(
          membersIn(siteLocation, name)[0],
          'number',
          `${siteIdentification.fourCharacterId} ${name}`,
        );
      t.type(siteIdentification.siteName, 'string');
    }
    const preflight = await service.app.inject({
      method: 'OPTIONS',
      url: searchOf('ALIC', 'json'),
      headers: { origin: ORIGIN, 'access-control-request-method': 'GET' },
    });
    t.equal(preflight.headers['access-control-allow-origin'], ORIGIN);
    t.equal((await service.get('/skeletonFiles/ALIC00AUS.SKL')).statusCode, 200);
  },
);
