import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findLanguageModel } from './find-language-model.ts'

let stateDir: string
beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'adapt-model-'))
})
afterEach(() => rm(stateDir, { recursive: true }))

const OLLAMA = 'http://127.0.0.1:11434/api/tags'
const LM_STUDIO = 'http://127.0.0.1:1234/api/v0/models'
const LLAMA_CPP = 'http://127.0.0.1:8080/v1/models'
const CHAT = 'http://127.0.0.1:11434/v1/chat/completions'
const CONFIRMED = { LANGUAGE_BASE_URL: 'http://127.0.0.1:11434/v1', LANGUAGE_MODEL: 'llama3.1:8b' }

const tagsOf = (...models: [name: string, size: string][]) => ({
  models: models.map(([name, parameter_size]) => ({ name, details: { parameter_size } })),
})
const saying = (content: string) => ({ choices: [{ message: { content } }] })

/** Servers of this machine by address; any other refuses the connection. */
async function start(servers: Record<string, unknown>, env: Record<string, string> = {}) {
  const lines: string[] = []
  const asked: string[] = []
  const fetch = async (url: string) => {
    asked.push(url)
    const answer = servers[url]
    if (answer instanceof Error) throw answer
    if (answer === undefined) throw new TypeError('fetch failed')
    return answer instanceof Response ? answer : Response.json(answer)
  }
  const found = await findLanguageModel({ env, stateDir, show: (line) => lines.push(line), fetch })
  return { found, lines, asked }
}

describe('findLanguageModel', () => {
  it('says and uses nothing where no server answers', async () => {
    expect(await start({})).toMatchObject({ found: null, lines: [] })
  })

  it.each([
    [
      'of Ollama, by its metadata',
      {
        [OLLAMA]: tagsOf(
          ['tiny:latest', '1.2B'],
          ['llama3.1:8b', '8.0B'],
          ['nomic-embed-text', '9B'],
          ['small', '3.8B'],
        ),
      },
      'Ollama has llama3.1:8b. To have it write steps and answers: LANGUAGE_BASE_URL=http://127.0.0.1:11434/v1 LANGUAGE_MODEL=llama3.1:8b npm start',
    ],
    [
      'of LM Studio, by its name',
      {
        [LM_STUDIO]: {
          data: [
            { id: 'qwen2.5-7b-instruct', type: 'llm' },
            { id: 'bge-20b', type: 'embeddings' },
            { id: 'qwen2.5-14b-base' },
          ],
        },
      },
      'LM Studio has qwen2.5-7b-instruct. To have it write steps and answers: LANGUAGE_BASE_URL=http://127.0.0.1:1234/v1 LANGUAGE_MODEL=qwen2.5-7b-instruct npm start',
    ],
    [
      'of llama.cpp, the largest of all servers',
      {
        [OLLAMA]: tagsOf(['llama3.2', '3.2B']),
        [LLAMA_CPP]: { data: [{ id: 'model.gguf', meta: { n_params: 4e9 } }] },
      },
      'llama.cpp has model.gguf. To have it write steps and answers: LANGUAGE_BASE_URL=http://127.0.0.1:8080/v1 LANGUAGE_MODEL=model.gguf npm start',
    ],
  ])('only offers the largest model %s', async (_, servers, line) => {
    expect(await start(servers)).toMatchObject({ found: null, lines: [line] })
  })

  it.each([
    ['models that are too small', { [OLLAMA]: tagsOf(['llama3.2:1b', '1.2B'], ['gemma3:270m', '268.10M']) }],
    ['a model of unknown size', { [LLAMA_CPP]: { data: [{ id: 'model.gguf', meta: null }] } }],
    ['another program at the port', { [LLAMA_CPP]: { status: 'ok' }, [OLLAMA]: new Response('no', { status: 404 }) }],
  ])('offers nothing for %s', async (_, servers) => {
    expect(await start(servers)).toMatchObject({ found: null, lines: [] })
  })

  it('uses what the environment names, and later the same address without being told', async () => {
    expect(await start({}, CONFIRMED)).toMatchObject({
      found: { baseUrl: 'http://127.0.0.1:11434/v1', model: 'llama3.1:8b' },
      lines: [],
      asked: [],
    })
    expect(await start({ [CHAT]: saying('{"sum": 4}') })).toMatchObject({
      found: { baseUrl: 'http://127.0.0.1:11434/v1', model: 'llama3.1:8b' },
      lines: [
        'llama3.1:8b at http://127.0.0.1:11434/v1 writes steps and answers, as last time; LANGUAGE_BASE_URL=off ends that.',
      ],
    })
  })

  it.each([
    ['does not answer', undefined],
    ['answers with status 404', new Response('no such model', { status: 404 })],
    ['does not follow instructions', saying('Sure! The sum is 4.')],
    ['does not answer as OpenAI’s API does', { message: 'hello' }],
    ['did not answer within a minute', Object.assign(new Error('slow'), { name: 'TimeoutError' })],
  ])('does without a confirmed model that %s, and says so', async (fault, answer) => {
    await start({}, CONFIRMED)
    expect(await start({ [CHAT]: answer })).toMatchObject({
      found: null,
      lines: [`Steps and answers are written without a model: llama3.1:8b at http://127.0.0.1:11434/v1 ${fault}.`],
    })
  })

  it('asks no server where a model is not wanted, and forgets the one before', async () => {
    await start({}, CONFIRMED)
    expect(await start({ [OLLAMA]: tagsOf(['llama3.1:8b', '8.0B']) }, { LANGUAGE_BASE_URL: 'off' })).toEqual({
      found: null,
      lines: [],
      asked: [],
    })
    expect(await start({ [CHAT]: saying('{"sum": 4}') })).toMatchObject({ found: null, lines: [] })
  })

  it('takes a file that it has not written for no confirmation', async () => {
    await writeFile(join(stateDir, 'language-model.json'), '{"baseUrl":')
    expect(await start({})).toMatchObject({ found: null, lines: [] })
  })
})
