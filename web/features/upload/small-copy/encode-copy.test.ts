import { describe, expect, it } from 'vitest'
import { planKeys } from './encode-copy.ts'

const FRAME_S = 0.1

/** Numbers of the frames that are to be key frames. */
function listKeys(startsMs: readonly number[], timesS: readonly number[]): number[] {
  const nameKey = planKeys(startsMs)
  return timesS.flatMap((timeS, frame) => (nameKey(timeS, FRAME_S).keyFrame === true ? [frame] : []))
}

const STEADY = Array.from({ length: 50 }, (_, frame) => frame * FRAME_S)

describe('planKeys', () => {
  it('names the frame that is shown when a step begins, in any order of steps', () => {
    expect(listKeys([3_000, 1_050, 0], STEADY)).toEqual([0, 10, 30])
    expect(listKeys([], STEADY)).toEqual([])
  })

  it('names the next frame for steps that begin where none is, and one for all of them', () => {
    expect(listKeys([1_200, 1_800, 99_000], [0, 1, 3, 4])).toEqual([2])
  })

  it('says nothing of other frames, so that those of every two seconds stay', () => {
    expect(planKeys([5_000])(0, FRAME_S)).toEqual({})
  })
})
