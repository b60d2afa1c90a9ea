import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { openPace } from '#worker/adapters/workers-ai/pace-calls.ts'
import { roomOf } from '#worker/domain/live/publish.ts'
import { openContext } from '#worker/entry/open-context.ts'

/** This runtime knows no jurisdictions, so objects of two places stand in for them. */
function placedObjects<Objects>(asked: string[], methods: object): Objects {
  const objectsIn = (place: string) => ({
    jurisdiction: objectsIn,
    idFromName: (name: string) => `${place} ${name}`,
    get: (id: string) => {
      asked.push(id)
      return methods
    },
  })
  return objectsIn('anywhere') as Objects
}

describe.each([
  ['eu', 'eu'],
  ['', 'anywhere'],
])('with ROOM_JURISDICTION "%s"', (ROOM_JURISDICTION, place) => {
  it(`rooms are ${place}`, () => {
    const asked: string[] = []
    roomOf(openContext({ ...env, ROOM_JURISDICTION, MODULE_ROOM: placedObjects(asked, {}) }), 'm1')
    expect(asked).toEqual([`${place} m1`])
  })

  it(`paces are ${place}`, async () => {
    const asked: string[] = []
    const take = async () => ({ waitMs: 0, isGranted: true })
    const CALL_PACER = placedObjects<Env['CALL_PACER']>(asked, { take })
    const pace = openPace({ ...env, ROOM_JURISDICTION, CALL_PACER, SPEECH_CALLS_PER_MINUTE: '1' })
    await pace({ kind: 'speech', isUrgent: false, signal: new AbortController().signal, who: 'Speech' })
    expect(asked).toEqual([`${place} speech`])
  })
})
