// Behaviour: titles of instructions, from the sentence to the proposed title.
import { describe, expect, it } from 'vitest'
import { readSentences } from '../sentences.ts'
import { findActionTitles, polishTitle } from '../title-ideas.ts'

function titlesIn(text: string): string[] {
  const [sentence] = readSentences([{ id: 's0', startMs: 0, endMs: 5_000, text }])
  return sentence === undefined ? [] : findActionTitles(sentence).map((idea) => idea.text)
}

describe('findActionTitles', () => {
  it.each([
    ['To create your first project, select Speech, then click New Project.', 'create your first project'],
    ['To create your first project, select Speech, then click New Project.', 'click New Project'],
    ["So what I'm going to do now is, I'm going to add a variable here.", 'add a variable'],
    ["Let's open my terminal and look around.", 'open the terminal'],
    ['then in the dialog click new project and wait', 'click new project'],
    ['Next, to archive the papers, open the archive.', 'archive the papers'],
    ['You can learn how to sort the table by date, if you like.', 'sort the table by date'],
  ])('finds in "%s" the title "%s"', (text, title) => {
    expect(titlesIn(text)).toContain(title)
  })

  it.each(['The click was loud.', 'I will use it.', 'We understand what you mean.', 'It is a nice add-on.'])(
    'finds no instruction in "%s"',
    (text) => {
      expect(titlesIn(text)).toEqual([])
    },
  )
})

it.each([
  ['use man command to know more', 'Use man command'],
  ['open the page to learn more about', 'Open the page'],
  ['learn to read', 'Learn to read'],
])('ends no title with a purpose that says nothing: "%s"', (said, title) => {
  expect(polishTitle(said)).toBe(title)
})
