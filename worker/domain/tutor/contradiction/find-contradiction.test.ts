import { describe, expect, it } from 'vitest'
import { readClauses } from '../words/read-clauses.ts'
import { findContradiction } from './find-contradiction.ts'

const find = (claim: string, source: string) => findContradiction(readClauses(claim), readClauses(source))

describe('findContradiction', () => {
  it.each([
    ['opposite', 'Turn the red valve to the left.', 'Turn the red valve to the right until it stops.'],
    ['opposite', 'Press the green button on the panel.', 'Press the red button on the panel.'],
    ['opposite', 'The third screw of the cover is removed.', 'Remove the first screw of the cover.'],
    ['opposite', 'The oil level is likely to drop.', 'The oil level is unlikely to drop.'],
    ['opposite', 'The lamp of the pump sometimes lights.', 'The lamp of the pump always lights.'],
    ['unit', 'Wait 5 minutes before you open it.', 'Wait 5 seconds, then open it.'],
    ['unit', 'The gate opens at 7 am.', 'They open the gate at 7 PM, not before.'],
    ['all or none', 'Check both of the pumps in the hall.', 'Check only one of the pumps in the hall.'],
    ['crossed', 'Oil is on the right of the bench and water on the left.', 'Oil is on the left, water on the right.'],
    ['crossed', 'Black shows the part, and white hides it.', 'White shows the part. When you use black, it hides it.'],
    ['number', 'Mix 10 spoons and 200 cups.', 'Mix 200 spoons and 10 cups.'],
    ['number', 'The key was made in 2016.', 'The lock is from 2016, and the key was made in 2019.'],
    ['number', 'Fill 3 tanks.', 'You fill 2 tanks at the end.'],
    ['number', 'There are 12 screws per box.', 'You get 40 per box, and 12 boxes.'],
    ['opposite', 'The filter lasts a month.', 'A good filter lasts a year.'],
    ['opposite', 'Turn it off at the panel.', 'Now turn the lamp on at the panel.'],
    ['opposite', 'Few of the lamps in the hall light up.', 'Most of the lamps in the hall light up.'],
    ['swapped', 'There are 8 to the power of 3 drops.', 'Count the drops. That is 3 to the power of 8.'],
    ['swapped', 'The valve is based on the pump.', 'But the pump is based on the valve.'],
    ['swapped', 'The pump drives the motor.', 'The motor drives the pump.'],
    ['swapped', 'Pull the hose from the tank to the valve.', 'Pull the hose from the valve to the tank.'],
    ['all or none', 'Everybody checks the filter of the pump.', 'Nobody checks the filter of the pump.'],
    ['denial', 'Close the main valve.', 'Do not close the main valve.'],
    ['denial', 'Never close the main valve.', 'Then close the main valve.'],
    ['opposite', 'The value c2 sets the slope.', 'The value c1 sets the slope.'],
    ['opposite', 'These covers are required.', 'These covers are optional.'],
    ['opposite', 'The red lamp of the pump lights.', 'The blue lamp of the pump lights, and red is the hose.'],
    ['crossed', 'Oil pumps run slower than water pumps.', 'Water pumps, as a rule, run slower than oil pumps.'],
    [
      'order',
      'Release the parking brake and then the clutch.',
      'Release the clutch all the way down to the floor, and then the parking brake.',
    ],
    ['order', 'He had the mill before the bakery.', 'First he had the bakery. Two years later he got the mill.'],
    ['other word', 'Choose Edit, Pump, Start.', 'Now you choose View, Pump, Start.'],
    [
      'other word',
      'The key is in the Tools drawer of the bench.',
      'You see the key in the Spares drawer of the bench.',
    ],
    [
      'other word',
      'The pump was made by Miller.',
      'The pump was made in 1990 and the valve by Smith. The pump was made by Jones.',
    ],
    ['opposite', 'Check the seal after the test.', 'Check the seal before the test.'],
    ['opposite', 'In March the pump is closed.', 'In May it runs. In April the pump is closed.'],
    ['opposite', 'The lid is a bit too dark.', 'This lid is a bit too bright.'],
    [
      'opposite',
      'Black hides the part.',
      'You know that black will show the part. And white begins to hide all of it.',
    ],
    [
      'denial',
      'The robot sees the wall, but it cannot hear a voice.',
      'The robot can hear a voice, but it cannot see the wall.',
    ],
    ['denial', 'The parts have to be sorted and dry.', 'They do not have to be sorted. They do not have to be dry.'],
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
    ['a count of other things', 'There are 12 screws per box.', 'You get 40 boxes, and 12 screws per box.'],
    ['what is said of both', 'Turn it off.', 'First turn it on, and when the lamp is green turn it off.'],
    ['the passive', 'The hose is pulled with the red tool.', 'Take the red tool and pull the hose.'],
    ['another verb', 'Most pumps sit in the cellar.', 'Most pumps stand in the cellar.'],
    ['a vague word', 'Turn it a little to the left.', 'Turn it a bit to the left.'],
    ['a noun in another language', 'Der Hebel öffnet die Klappe am Tank.', 'Der Griff öffnet die Klappe am Tank.'],
    ['a comparison', 'Unlike the pump, the valve is new.', 'The valve is like the pump, but new.'],
    [
      'what is told in the order of its cause',
      'Wait for the lamp before you press.',
      'Press it when you see the lamp.',
    ],
    ['a denied opposite', 'The layer is not visible now.', 'The layer is invisible now.'],
    [
      'the same order from its other end',
      'Close the window after you save the file.',
      'Save the file before you close the window.',
    ],
    ['two words for one end', 'The motor of the pump ends at night.', 'The motor of the pump stops at night.'],
    ['nothing of it', 'Bring a ladder.', 'The weather is nice today.'],
  ])('leaves %s to a judge', (_, claim, source) => {
    expect(find(claim, source)).toBeNull()
  })
})
