import { describe, expect, it } from 'vitest'
import { findContradiction } from './find-contradiction.ts'
import { readClauses } from './read-clauses.ts'

const find = (claim: string, source: string) => findContradiction(readClauses(claim), readClauses(source))

describe('findContradiction', () => {
  it.each([
    ['opposite', 'Turn the red valve to the left.', 'Turn the red valve to the right until it stops.'],
    ['opposite', 'Press the green button on the panel.', 'Press the red button on the panel.'],
    ['opposite', 'The third screw of the cover is removed.', 'Remove the first screw of the cover.'],
    ['opposite', 'The oil level is likely to drop.', 'The oil level is unlikely to drop.'],
    ['opposite', 'The lamp of the pump sometimes lights.', 'The lamp of the pump always lights.'],
    ['unit', 'Wait 5 minutes before you open it.', 'Wait 5 seconds, then open it.'],
    ['number', 'Mix 10 spoons and 200 cups.', 'Mix 200 spoons and 10 cups.'],
    ['number', 'The key was made in 2016.', 'The lock is from 2016, and the key was made in 2019.'],
    ['number', 'Fill 3 tanks.', 'You fill 2 tanks at the end.'],
    ['swapped', 'The pump drives the motor.', 'The motor drives the pump.'],
    ['swapped', 'Pull the hose from the tank to the valve.', 'Pull the hose from the valve to the tank.'],
    ['all or none', 'Everybody checks the filter of the pump.', 'Nobody checks the filter of the pump.'],
    ['denial', 'Close the main valve.', 'Do not close the main valve.'],
    ['denial', 'Never close the main valve.', 'Then close the main valve.'],
  ])('finds "%s": %s', (kind, claim, source) => {
    expect(find(claim, source)).toBe(kind)
  })

  it.each([
    ['other words', 'Lower the car slowly.', 'Let the car down, and take your time.'],
    ['the same in another voice', 'The pump is driven by the motor.', 'The motor drives the pump.'],
    ['a part of it', 'Turn the valve to the left.', 'Turn the valve to the left, then the other one to the right.'],
    ['both colours', 'The red one goes first.', 'The green one goes last, the red one first.'],
    ['another unit for other things', 'It takes 5 minutes.', 'It takes 5 minutes and 5 screws.'],
    ['a count of what is listed', 'Two keys are needed.', 'You need a public key and a private key.'],
    [
      'a number in another order',
      'A curve with two control points has four points.',
      'A curve has two control points, four points in all.',
    ],
    ['nouns the other way round', 'With a single point the line is straight.', 'A straight line has just one point.'],
    [
      'a denial in other words',
      'A wedge keeps the car from rolling away.',
      'Put a wedge there so that the car cannot roll away.',
    ],
    ['nothing of it', 'Bring a ladder.', 'The weather is nice today.'],
  ])('leaves %s to a judge', (_, claim, source) => {
    expect(find(claim, source)).toBeNull()
  })
})
