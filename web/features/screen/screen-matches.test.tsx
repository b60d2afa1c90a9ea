import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { ScreenBlock } from '#contract/screen.ts'
import { fakeApi, renderApp } from '#web/testing/render-app.tsx'
import { findBlocks, ScreenMatches } from './screen-matches.tsx'

function block(text: string, startS: number): ScreenBlock {
  const box = { x: 0, y: 0, width: 0.1, height: 0.1 }
  return { text, startMs: startS * 1_000, endMs: startS * 1_000 + 900, box, kind: 'command', confidence: 0.9 }
}

const BLOCKS = [block('man -k directory', 192), block('ls -la', 200), block('MAN  -K printer', 260)]

it('finds each text once, whatever the case and the white space are', () => {
  const textsOf = (words: string) => findBlocks([...BLOCKS, block('ls -la', 300)], words).map(({ text }) => text)
  expect(textsOf('man -k')).toEqual(['man -k directory', 'MAN  -K printer'])
  expect(textsOf('LS')).toEqual(['ls -la'])
  expect(textsOf('rm')).toEqual([])
})

it('leads to the moment of a text, and shows nothing before something is searched for', async () => {
  const reading = { readMs: 9, isDone: true, secrets: [], blocks: BLOCKS }
  const { callApi } = fakeApi({
    'GET /api/modules/m1/screen': () => ({
      success: true,
      readsScreen: true,
      reading,
      corrections: [],
      videoId: 'm1',
      ignoredArea: null,
    }),
  })
  const seeks: number[] = []
  const show = (words: string) => (
    <ScreenMatches moduleId="m1" words={words} onSeek={(seconds) => seeks.push(seconds)} />
  )
  const { user } = renderApp(
    <>
      <div>{show(' ')}</div>
      {show('directory')}
    </>,
    { callApi },
  )
  await user.click(await screen.findByRole('button', { name: '03:12 man -k directory' }))
  expect(seeks).toEqual([192])
  expect(screen.getAllByRole('button')).toHaveLength(1)
})
