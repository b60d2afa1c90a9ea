import { useQuery } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { ScreenBlock, ScreenCorrection } from '#contract/screen.ts'
import { useApi } from '#web/lib/api.ts'
import { fakeApi, renderApp } from '#web/testing/render-app.tsx'
import { ScreenLines } from './screen-lines.tsx'
import { screenQuery } from './screen-query.ts'

function block(text: string, startS: number, kind: ScreenBlock['kind'] = 'label'): ScreenBlock {
  const box = { x: 0, y: 0, width: 0.1, height: 0.1 }
  return { text, startMs: startS * 1_000, endMs: startS * 1_000 + 900, box, kind, confidence: 0.9 }
}

const BLOCKS = [block('man -k directary', 192), block('Internal', 12), block('ls -la', 300, 'command')]

function Loaded({ onSeek }: { onSeek: (seconds: number) => void }) {
  const { data } = useQuery(screenQuery(useApi(), 'm1'))
  if (!data?.reading) return null
  return <ScreenLines moduleId="m1" blocks={data.reading.blocks} corrections={data.corrections} onSeek={onSeek} />
}

/** A server that keeps what is sent to it. */
function open(blocks = BLOCKS) {
  const sent: ScreenCorrection[] = []
  const seeks: number[] = []
  const reading = { readMs: 9, isDone: true, secrets: [], blocks }
  const { callApi } = fakeApi({
    'GET /api/modules/m1/screen': () => ({
      success: true,
      readsScreen: true,
      ignoredArea: null,
      videoId: 'm1',
      reading,
      corrections: sent
        .toReversed()
        .filter((one, at, all) => all.findIndex((each) => each.readText === one.readText) === at),
    }),
    'PUT /api/modules/m1/screen/corrections': (body) => {
      sent.push(body as ScreenCorrection)
      return { success: true }
    },
  })
  const { user } = renderApp(<Loaded onSeek={(seconds) => seeks.push(seconds)} />, { callApi })
  return { user, sent, seeks }
}

const button = (name: string) => screen.findByRole('button', { name })

it('lists the texts in order of time and leads to their moments', async () => {
  const { user, seeks } = open()
  await user.click(await button('03:12 man -k directary'))
  expect(seeks).toEqual([192])
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    '00:12 Internal',
    '03:12 man -k directary',
    '05:00 ls -la',
  ])
})

it('corrects, hides, and marks a text as a command, each time with all that was made of it', async () => {
  const { user, sent } = open()
  await user.click(await button('Correct: man -k directary'))
  const field = screen.getByRole('textbox', { name: 'What the screen says' })
  await user.clear(field)
  await user.type(field, 'man -k directory{Enter}')
  expect(await button('Correct: man -k directory')).toHaveFocus()
  await user.click(await button('Is a command: man -k directory'))
  await waitFor(async () =>
    expect(await button('Is a command: man -k directory')).toHaveAttribute('aria-pressed', 'true'),
  )
  await user.click(await button('Hide: Internal'))
  await user.click(await button('Is a command: ls -la'))
  await waitFor(() => expect(sent).toHaveLength(4))
  const made = {
    readText: 'man -k directary',
    startMs: 192_000,
    endMs: 192_900,
    text: 'man -k directory',
    isHidden: false,
  }
  expect(sent.slice(0, 2)).toEqual([
    { ...made, kind: null },
    { ...made, kind: 'command' },
  ])
  expect(sent[2]).toMatchObject({ readText: 'Internal', text: null, isHidden: true })
  expect(sent[3]).toMatchObject({ readText: 'ls -la', kind: 'other' })
  expect(await button('Hide: Internal')).toHaveAttribute('aria-pressed', 'true')
})

it('finds texts by their words, and shows more of many on demand', async () => {
  const many = Array.from({ length: 60 }, (_, at) => block(`Line ${at}`, at))
  const { user } = open(many)
  expect(await screen.findAllByRole('listitem')).toHaveLength(50)
  await user.click(await button('Show more'))
  expect(screen.getAllByRole('listitem')).toHaveLength(60)
  await user.type(screen.getByRole('searchbox'), 'line 59')
  expect(screen.getAllByRole('listitem')).toHaveLength(1)
  await user.type(screen.getByRole('searchbox'), ' nothing')
  expect(screen.getByRole('status')).toHaveTextContent('Not found')
})
