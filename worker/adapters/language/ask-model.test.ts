import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeStepWriter, readOutline, readSteps } from './ask-model.ts'

const SEGMENTS = ['a', 'b', 'c', 'd'].map((id, i) => ({ id, startMs: i * 1_000, endMs: i * 1_000 + 900, text: id }))
const STEP = { first: 1, last: 2, title: 'Open the menu', description: 'Click File.' }
const DRAFT = { segmentIds: ['a', 'b'], title: 'Open the menu', description: 'Click File.' }

describe('readSteps', () => {
  const text = JSON.stringify({ steps: [STEP] })

  it.each([
    ['an object', { steps: [STEP] }],
    ['text', text],
    ['fenced text', `Here you are:\n\`\`\`json\n${text}\n\`\`\`\nDone.`],
    ['text after thoughts', `<think>{"steps": maybe [1]}</think>${text}`],
    ['a bare list', `[${JSON.stringify(STEP)}]`],
    ['numbers as text', { steps: [{ ...STEP, first: '1', last: '2' }] }],
  ])('reads %s', { tags: 'fault-27' }, (_form, answer) => {
    expect(readSteps(answer, SEGMENTS)).toEqual({ drafts: [DRAFT] })
  })

  it.each([
    [{ continues: true, steps: [STEP] }, [{ ...DRAFT, continues: true }]],
    [{ continues: false, steps: [STEP] }, [DRAFT]],
    [{ continues: 'perhaps', steps: [STEP] }, [DRAFT]],
    [
      { continues: true, steps: [{ ...STEP, first: 3, last: 4 }, STEP] },
      [
        { ...DRAFT, segmentIds: ['c', 'd'] },
        { ...DRAFT, continues: true },
      ],
    ],
  ])('takes from %j which draft continues the step before it', (answer, drafts) => {
    expect(readSteps(answer, SEGMENTS)).toEqual({ drafts })
  })

  it.each([
    ['cut-off JSON', text.slice(0, 30), /not complete JSON/],
    ['nothing', '', /not complete JSON/],
    ['null', null, /the answer/],
    ['no steps', { steps: [] }, /^steps/],
    ['500 steps', { steps: Array(500).fill(STEP) }, /^steps/],
    ['an empty title', { steps: [{ ...STEP, title: ' ' }] }, /^steps\.0\.title/],
    ['a title of 10,000 characters', { steps: [{ ...STEP, title: 'x'.repeat(10_000) }] }, /^steps\.0\.title/],
    [
      'a line that does not exist',
      { steps: [STEP, { ...STEP, last: 99 }] },
      /step 2 goes from line 1 to 99, but lines go from 1 to 4/,
    ],
    ['line 0', { steps: [{ ...STEP, first: 0 }] }, /step 1 goes from line 0/],
    ['a range backwards', { steps: [{ ...STEP, first: 3 }] }, /step 1 goes from line 3 to 2/],
    ['a time for a line', { steps: [{ ...STEP, first: 1.5 }] }, /^steps\.0\.first/],
  ])('complains about %s', { tags: 'fault-27' }, (_what, answer, complaint) => {
    expect(readSteps(answer, SEGMENTS)).toMatchObject({ complaint: expect.stringMatching(complaint) as string })
  })

  it('answers anything with drafts of known segments or with a complaint', () => {
    const answer = fc.oneof(fc.anything(), fc.json(), fc.string(), fc.record({ steps: fc.array(fc.anything()) }))
    fc.assert(
      fc.property(answer, (said) => {
        const read = readSteps(said, SEGMENTS)
        const ids = 'drafts' in read ? read.drafts.flatMap((draft) => draft.segmentIds) : []
        expect(SEGMENTS.map((segment) => segment.id)).toEqual(expect.arrayContaining([...new Set(ids)]))
        if ('complaint' in read) expect(read.complaint).not.toBe('')
      }),
    )
  })
})

describe('what Gemma 3 270M (Q4_K_M) answers to the prompts', () => {
  const echo = [
    '<title>Printer</title>\n<transcript>\n# First open the lid\n1 [0:07] First open the lid on the top.\n</transcript>',
    'Divide lines 1 to 1 of the transcript into steps. Answer with JSON only. denaro\npaying\n<title>Printer</title>',
  ].join('\n')
  const loop = Array.from({ length: 9 }, (_, at) => `{"line": ${at + 1}, "kind": "part", "text": "${at + 1}"}`)
  const cut = `{"continues": true, "steps": [], "callouts": [${loop.join(', ')}, {"line": 10, "kind`

  it.each([
    ['the prompt again, and on', echo],
    ['the form of the schema without a step, in circles until it is cut off', cut],
    ['the same, closed', { continues: true, steps: [], callouts: [] }],
  ])('is no answer: %s', { tags: 'fault-27' }, (_what, answer) => {
    expect(readSteps(answer, SEGMENTS)).toHaveProperty('complaint')
    expect(readOutline(answer, SEGMENTS.length)).toHaveProperty('complaint')
  })
})

describe('the notes of an answer', () => {
  const step = { first: 1, last: 3, title: 'Open it', description: '' }

  it.each([
    ['a note', ' Learners forget it. ', 'Learners forget it.'],
    ['an empty one', '', undefined],
    ['none', undefined, undefined],
    ['no text', 7, undefined],
    ['one of a page', 'x'.repeat(2_001), undefined],
  ])('the notes of an answer are read where a step has %s', (_what, note, notes) => {
    const read = readSteps({ continues: false, steps: [{ ...step, note }] }, SEGMENTS)
    expect('drafts' in read && read.drafts.map((draft) => draft.notes)).toEqual([notes])
  })
})

describe('readOutline', () => {
  const ENTRIES = [
    { first: 1, title: 'Open it' },
    { first: 3, title: 'Save it' },
  ]

  it.each([
    ['an object', { entries: ENTRIES }],
    ['text', JSON.stringify({ entries: ENTRIES })],
    ['a bare list', ENTRIES],
  ])('reads %s', { tags: 'fault-27' }, (_form, answer) => {
    expect(readOutline(answer, 3)).toEqual({ entries: ENTRIES })
  })

  it('reads which entries begin a chapter, and takes what is no title for none', () => {
    const [first, second] = ENTRIES
    const said = [
      { ...first, chapter: ' The file ' },
      { ...second, chapter: '' },
    ]
    expect(readOutline(said, 3)).toEqual({ entries: [{ ...first, chapter: 'The file' }, second] })
    expect(
      readOutline(
        [
          { ...first, chapter: 7 },
          { ...second, chapter: null },
        ],
        3,
      ),
    ).toEqual({ entries: ENTRIES })
  })

  it.each([
    ['a line that does not exist', [{ first: 4, title: 'Open it' }], /begins at line 4/],
    ['entries in another order', ENTRIES.toReversed(), /begins at line 1/],
    ['two entries that begin at one step', [ENTRIES[0], ENTRIES[0]], /begins at line 1/],
    ['no entries', [], /entries/],
    ['an entry without a title', [{ first: 1, title: ' ' }], /entries.0.title/],
    ['no JSON', 'I cannot do that.', /not complete JSON/],
  ])('refuses %s', { tags: 'fault-27' }, (_what, answer, complaint) => {
    expect(readOutline(answer, 3)).toEqual({ complaint: expect.stringMatching(complaint) as string })
  })
})

describe('a step writer that knows the titles so far', () => {
  const window = { moduleTitle: 'Menus', durationMs: null, language: 'en', glossary: null, segments: SEGMENTS }
  const before = [{ id: 'z', startMs: 0, endMs: 1, text: 'Click File.' }]
  const write = (answer: unknown, more: { before: typeof before; titles?: string[] }) => {
    const model = { name: 'fake', ask: async () => answer, stream: () => Promise.reject(new Error('not streamed')) }
    return makeStepWriter(model).writeSteps({ ...window, ...more }, new AbortController().signal)
  }

  it.each([
    ['continues nothing where nothing was said before', { continues: true, steps: [STEP] }, { before: [] }, [DRAFT]],
    [
      'continues the step whose title it repeats',
      { continues: false, steps: [STEP] },
      { before, titles: ['Start', 'open the menu'] },
      [{ ...DRAFT, continues: true }],
    ],
    [
      'begins a step with a title that an earlier one has',
      { continues: false, steps: [STEP] },
      { before, titles: ['Open the menu', 'Save'] },
      [DRAFT],
    ],
  ])('a step writer that knows the titles so far %s', async (_what, answer, more, drafts) => {
    expect(await write(answer, more)).toEqual(drafts)
  })
})
