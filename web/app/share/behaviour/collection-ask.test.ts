// Behaviour: the field of a collection's page.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import script from '../../../public/collection.js?raw'

const fetched = vi.fn<(path: string, init?: RequestInit) => Promise<Response>>()

/** The page of a collection as the worker writes it. */
function open(path = '/share/c/abc', words = '', found = '', answer = '') {
  history.replaceState(null, '', path)
  document.body.innerHTML = `<form id="ask" data-found="/share/c/abc/found" data-failed="It did not work." data-ask="/ask" data-writing="Writing…"><input id="words" value="${words}"></form>${answer}<p id="says" role="status"></p><div id="found">${found}</div><div id="whole" data-count="{completed} of {count}" hidden><p></p><progress></progress></div>`
  // oxlint-disable-next-line typescript/no-implied-eval -- the file is of no build, and runs here as the browser runs it
  new Function(script)()
  const field = document.querySelector('input') as HTMLInputElement
  return {
    field,
    type: (text: string) => {
      field.value = text
      field.dispatchEvent(new Event('input', { bubbles: true }))
    },
    submit: () => document.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true })),
    found: () => document.getElementById('found')?.innerHTML,
    says: () => document.getElementById('says')?.textContent,
    answer: () => document.getElementById('answer')?.innerHTML,
  }
}

beforeEach(() => {
  vi.stubGlobal('fetch', fetched)
  fetched.mockImplementation((path) => Promise.resolve(new Response(`<p>1 place</p><ol><li>${path}</li></ol>`)))
})
afterEach(() => {
  vi.unstubAllGlobals()
  fetched.mockReset()
  sessionStorage.clear()
})

it('asks once for what was typed, shows it, announces its first sentence alone, and keeps the words in the address', async () => {
  const page = open()
  for (const text of ['n', 'no', 'nozzle & key']) page.type(text)
  await vi.waitFor(() => expect(page.found()).toBe('<ol><li>/share/c/abc/found?q=nozzle%20%26%20key</li></ol>'))
  expect(page.says()).toBe('1 place')
  expect(fetched).toHaveBeenCalledTimes(1)
  expect(location.search).toBe('?q=nozzle%20%26%20key')
  page.type('')
  page.submit()
  expect([page.found(), page.says()]).toEqual(['', ''])
  expect(location.search).toBe('')
})

it('has the words again when a training leads back to the page without them', async () => {
  const page = open()
  page.type('jack')
  page.submit()
  await vi.waitFor(() => expect(page.found()).toContain('jack'))
  const again = open()
  expect(again.field.value).toBe('jack')
  await vi.waitFor(() => expect(again.found()).toContain('jack'))
})

it('leaves what the server has written for the words of the address', () => {
  const page = open('/share/c/abc?q=jack', 'jack', '<p>1 place found</p>')
  page.submit()
  expect(fetched).not.toHaveBeenCalled()
  expect(page.found()).toBe('<p>1 place found</p>')
})

it('says that the search failed, and asks again for the same words', async () => {
  fetched.mockResolvedValueOnce(new Response('', { status: 429 }))
  const page = open()
  page.type('jack')
  page.submit()
  await vi.waitFor(() => expect(page.says()).toBe('It did not work.'))
  page.submit()
  await vi.waitFor(() => expect(page.found()).toContain('q=jack'))
})

it('asks a model when a question is sent, and has its answer again when a training leads back', async () => {
  const asked: string[] = []
  fetched.mockImplementation(async (path, init) => {
    if (path !== '/ask') return new Response('<p>1 place</p>')
    asked.push(typeof init?.body === 'string' ? init.body : '')
    return Response.json({ success: true, html: '<p>Turn it left.</p>' })
  })
  const place = '<div id="answer"></div>'
  const page = open('/share/c/abc', '', '', place)
  page.type('Which way?')
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(1))
  expect(page.answer()).toBe('')
  page.submit()
  expect(page.answer()).toBe('<p>Writing…</p>')
  await vi.waitFor(() => expect(page.answer()).toBe('<p>Turn it left.</p>'))
  page.submit()
  expect(asked).toEqual(['{"question":"Which way?"}'])
  const again = open('/share/c/abc?q=Which+way%3F', 'Which way?', '', place)
  expect(again.answer()).toBe('<p>Turn it left.</p>')
  again.type('Which w')
  expect(again.answer()).toBe('')
})

it('says that a question to a model failed, keeps nothing of it, and asks it again', async () => {
  let status = 429
  fetched.mockImplementation(async (path) => {
    if (path !== '/ask') return new Response('<p>1 place</p>')
    return Response.json({ success: status === 200, html: '<p>Turn it left.</p>' }, { status })
  })
  const place = '<div id="answer"></div>'
  const page = open('/share/c/abc', '', '', place)
  page.type('Which way?')
  page.submit()
  await vi.waitFor(() => expect(page.answer()).toBe('<p>It did not work.</p>'))
  page.type('')
  expect(page.answer()).toBe('')
  const again = open('/share/c/abc?q=Which+way%3F', 'Which way?', '', place)
  status = 200
  again.submit()
  await vi.waitFor(() => expect(again.answer()).toBe('<p>Turn it left.</p>'))
})
