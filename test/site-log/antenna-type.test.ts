import t from 'tap';
import {
  joinAntennaType,
  splitAntennaType,
  splitInAnyColumns,
} from '../../src/site-log/antenna-type.js';

t.test('an antenna type has its radome in columns 17 to 20', async (t) => {
  const type = 'LEIAR25.R3      LEIT';
  const parts = { model: 'LEIAR25.R3', radome: 'LEIT' };
  t.same(splitAntennaType(type), parts);
  t.equal(joinAntennaType(parts.model, parts.radome), type);
  t.same(splitAntennaType('LEIAR25.R3 LEIT'), { model: 'LEIAR25.R3 LEIT', radome: '' });
  t.same(splitAntennaType('TRM59800.00     SCIT x').radome, 'SCIT x', 'malformed');
});

t.test('a radome in other columns is behind blanks', async (t) => {
  t.same(splitInAnyColumns('LEIAR25.R3 LEIT'), { model: 'LEIAR25.R3', radome: 'LEIT' });
  for (const none of ['', 'LEIT', ' LEIT', 'LEIAR25.R3', 'LEIAR25 .R3', 'LEIAR25.R3 NONE '])
    t.equal(splitInAnyColumns(none), null, none);
});
