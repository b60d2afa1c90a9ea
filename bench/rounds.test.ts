import { describe, expect, it } from 'vitest'
import { mapValues, takeTurns } from './rounds.ts'

describe('takeTurns', () => {
  it('runs every kind in each round, and leaves warm-ups out', async () => {
    const ran: string[] = []
    const results = await takeTurns(['ours', 'theirs'] as const, { rounds: 2, warmUps: 1 }, async (name, round) => {
      ran.push(`${name} ${round}`)
      return round
    })
    expect(ran).toEqual(['ours -1', 'theirs -1', 'ours 0', 'theirs 0', 'ours 1', 'theirs 1'])
    expect(mapValues(results, (rounds, name) => `${name}: ${rounds.join()}`)).toEqual({
      ours: 'ours: 0,1',
      theirs: 'theirs: 0,1',
    })
  })
})
