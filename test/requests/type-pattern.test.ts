import t from 'tap';
import { compileTypePattern } from '../../src/requests/type-pattern.js';

t.test('a pattern ignores case and runs of blanks, and * stands for any characters', async (t) => {
  // prettier-ignore
  const matches: [pattern: string, type: string, matches: boolean][] = [
    ['LEIAR25.R3 LEIT', 'LEIAR25.R3      LEIT', true], ['leiar25.r3  leit', 'LEIAR25.R3      LEIT', true],
    ['LEIAR25.R3', 'LEIAR25.R3      LEIT', false], ['LEIAR25.R3*', 'LEIAR25.R3      LEIT', true],
    ['LEIAR25.R3 *', 'LEIAR25.R3      LEIT', true], ['LEIAR25.R3 *', 'LEIAR25.R31     LEIT', false],
    ['lei*', 'LEICA GRX1200', true], ['LEI*', 'TRM LEI', false], ['LEI.*', 'LEICA', false], ['L*I', 'LEI', true],
    ['L*E*I', 'LEI', true], ['LE*EI', 'LEI', false], ['*LEI*', 'LEI', true], ['*A*', 'LEI', false],
    ['*LEIT', 'LEIAR25.R3      LEIT', true], ['**', '', true],
    ['*', 'ANYTHING', true], [' LEICA GR25 ', 'LEICA GR25', true], ['', 'LEICA', false],
  ];
  for (const [pattern, type, expected] of matches)
    t.equal(compileTypePattern(pattern)(type), expected, `${pattern} ${type}`);
});
