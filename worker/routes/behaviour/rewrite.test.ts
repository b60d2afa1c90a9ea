// Behaviour: rewriting the text of a step.
import { describe, expect, it } from 'vitest'
import { RewriteAnswer } from '#contract/step-editing.ts'
import { answerOf, problemOf } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'

const as = 'user_owner'
const instruction = 'Remove filler and fix grammar without adding information'

async function opened() {
  const { id } = await seedModule()
  return `/api/steps/${id}/rewrite`
}

describe('POST /api/steps/{id}/rewrite', () => {
  it('gives the text without its fillers', { tags: ['spec-5.12', 'spec-7.18'] }, async () => {
    const json = { text: '  um so click the, uh, Save button ', instruction }
    expect(await answerOf(RewriteAnswer, await opened(), { as, json })).toEqual({
      success: true,
      text: 'Click the Save button.',
    })
  })

  it.each([
    ['two characters', { text: ' ab ' }],
    ['no text', { instruction }],
    ['a text that is no text', { text: 7 }],
    ['more than a step keeps', { text: 'a '.repeat(2_501) + 'b' }],
    ['an instruction without an end', { text: 'abc', instruction: 'x'.repeat(501) }],
  ])('refuses %s', async (_what, json) => {
    expect((await problemOf(await opened(), { as, json })).code).toBe('invalid_request')
  })

  it('refuses a body that is not JSON', async () => {
    const path = await opened()
    expect((await problemOf(path, { as, body: 'text=abc' })).code).toBe('unsupported_media_type')
    const headers = { 'content-type': 'application/json' }
    expect((await problemOf(path, { as, body: '{', headers })).code).toBe('invalid_json')
    const json = { text: 'x'.repeat(1024 * 1024) }
    expect((await problemOf(path, { as, json })).code).toBe('payload_too_large')
  })

  it('answers other callers than owners as for a module that does not exist', async () => {
    const json = { text: 'Click Save.', instruction }
    const missing = await problemOf(`/api/steps/${'x'.repeat(22)}/rewrite`, { as, json })
    const viewer = await problemOf(await opened(), { as: 'user_viewer', json })
    expect(missing.code).toBe('not_found')
    expect({ ...viewer, requestId: '' }).toEqual({ ...missing, requestId: '' })
    expect((await problemOf(await opened(), { json })).code).toBe('unauthenticated')
  })
})
