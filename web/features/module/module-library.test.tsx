import { onlineManager } from '@tanstack/react-query'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Module } from '#contract/module.ts'
import type { SearchHit } from '#contract/search.ts'
import { makeModule } from '#contract/testing/examples.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { fakeApi, renderApp } from '#web/testing/render-app.tsx'
import { ModuleLibrary } from './module-library.tsx'

const LIST = 'GET /api/modules?limit=60'
const AT_WORK = 'GET /api/modules/processing'
const SEARCH = 'GET /api/modules/search?query='
const THREE = [
  makeModule({ id: 'a', title: 'Label printer' }),
  makeModule({ id: 'b', title: 'Reset a PASSWORD', status: 'PROCESSING', progress: 42, message: 'Listening' }),
  makeModule({ id: 'c', title: 'Returns', createdAt: 'nope', status: 'FAILED', lastError: 'No narration found.' }),
]

const onShare = vi.fn<(module: Module) => void>()

function open(answers: Record<string, () => unknown>) {
  const atWork = THREE.filter(({ status }) => status === 'PROCESSING')
  const api = fakeApi({ [AT_WORK]: () => ({ success: true, modules: atWork }), ...answers })
  const app = renderApp(<ModuleLibrary empty={<p>Nothing yet</p>} onShare={onShare} />, { callApi: api.callApi })
  return { ...app, calls: api.calls }
}

function pageOf(modules: Module[], nextCursor: string | null = null) {
  return { success: true, modules, nextCursor }
}

function openWith(modules: Module[], more: Record<string, () => unknown> = {}) {
  return open({ [LIST]: () => pageOf(modules), ...more })
}

const findsNothing = (...searches: string[]) =>
  Object.fromEntries(searches.map((each) => [`${SEARCH}${each}`, () => ({ success: true, found: [] })]))

/** A module with one moment of each kind. */
function foundIn(module: Module) {
  const hits: SearchHit[] = [
    { kind: 'step', step: null, text: { text: 'Close the drain', marks: [[10, 15]] }, start: 30.4 },
    {
      kind: 'said',
      step: 'Fill it',
      text: {
        text: '…the drain, a drain',
        marks: [
          [5, 10],
          [14, 19],
        ],
      },
      start: 3700,
    },
  ]
  return { module, hits }
}

const titles = () => screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)

afterEach(() => {
  vi.useRealTimers()
  localStorage.clear()
})

describe('ModuleLibrary', () => {
  it('shows a module that is made again as ready, with how far the new version is', async () => {
    const failed = { run: 2, message: 'Writing the steps', lastError: null, failureCode: null, progress: 60 }
    const again = makeModule({ id: 'd', title: 'Labels', newVersion: { ...failed, status: 'PROCESSING' } })
    openWith([again], { [AT_WORK]: () => ({ success: true, modules: [again] }) })
    expect(await screen.findByText('Ready')).toBeVisible()
    expect(screen.getByText('New version: Writing the steps')).toBeVisible()
    expect(screen.getByRole('progressbar', { name: 'New version of Labels' })).toHaveAttribute('aria-valuenow', '60')
  })

  it('says why a new version failed, until its owner has dismissed that on the training page', async () => {
    const lastError = 'The speech service has no quota left.'
    const newVersion = {
      run: 2,
      message: '',
      failureCode: 'ai_quota',
      progress: 60,
      status: 'FAILED',
      lastError,
    } as const
    const modules = [makeModule({ id: 'd', title: 'Labels', newVersion }), makeModule({ id: 'e', title: 'Returns' })]
    openWith(modules)
    expect(await screen.findByText(`The new version could not be made. ${lastError}`)).toBeVisible()
    expect(screen.getAllByText('Ready')).toHaveLength(2)
    cleanup()
    // As the training page keeps it.
    localStorage.setItem('adapt_dismissed_version:d', '2')
    openWith(modules)
    expect(await screen.findByText('Labels')).toBeVisible()
    expect(screen.queryByText(/could not be made/)).toBeNull()
  })

  it('shows the shape of the list while it loads', () => {
    open({ [LIST]: () => new Promise(() => {}) })
    expect(screen.getByRole('status')).toHaveTextContent('Loading your modules')
  })

  it('shows each module with its date, its state and its way in', async () => {
    openWith(THREE)
    expect(await screen.findByText('Label printer')).toBeVisible()
    expect(screen.getByText('Unknown date · 06:12')).toBeVisible()
    expect(screen.getByRole('progressbar', { name: 'Processing Reset a PASSWORD' })).toHaveAttribute(
      'aria-valuenow',
      '42',
    )
    expect(screen.getByText('No narration found.')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Start Training: Label printer' })).toHaveAttribute('href', '/training/a')
  })

  it('says how much of a video has arrived while it is on its way', async () => {
    openWith([makeModule({ title: 'Returns', status: 'PROCESSING', hasVideo: false, uploadPercent: 43, progress: 5 })])
    expect(await screen.findByText('Video 43 % uploaded')).toBeVisible()
    expect(screen.getByText('Uploading')).toBeVisible()
    expect(screen.getByRole('progressbar', { name: 'Upload of Returns' })).toHaveAttribute('aria-valuenow', '43')
  })

  it('gives each module the ways to train, share, edit and delete, and the menu to rename it', {
    tags: 'spec-2.37',
  }, async () => {
    const { user } = openWith([makeModule({ id: 'a', title: 'Label printer' })])
    const card = within(await screen.findByRole('listitem'))
    expect(card.getByRole('link', { name: 'Start Training: Label printer' })).toHaveTextContent('Start Training')
    expect(card.getByRole('link', { name: 'Edit: Label printer' })).toHaveAttribute('href', '/training/a#step-1')
    expect(card.getByRole('button', { name: 'Delete Label printer' })).toHaveTextContent('Delete')
    await user.click(card.getByRole('button', { name: 'Share: Label printer' }))
    expect(onShare).toHaveBeenLastCalledWith(expect.objectContaining({ id: 'a' }))
  })

  it('offers deleting only to those who may', async () => {
    openWith([makeModule({ title: 'A colleague’s', mayDelete: false })])
    const card = within(await screen.findByRole('listitem'))
    expect(card.getByRole('button', { name: 'Share: A colleague’s' })).toBeVisible()
    expect(card.queryByRole('button', { name: /^Delete/ })).toBeNull()
  })

  it('shows members who look for it why they cannot delete a colleague’s module', { tags: 'spec-6.6' }, async () => {
    const { user } = openWith([makeModule({ title: 'A colleague’s', mayDelete: false, organization: 'active' })])
    await user.click(await screen.findByRole('button', { name: 'More: A colleague’s' }))
    await user.click(screen.getByRole('menuitem', { name: 'Delete' }))
    const dialog = within(screen.getByRole('dialog', { name: 'You cannot delete this module' }))
    expect(dialog.getByText('“A colleague’s” was uploaded by a colleague.')).toBeVisible()
    expect(dialog.getByText(/and admins of your organization, can delete it/)).toBeVisible()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.getByRole('button', { name: 'More: A colleague’s' })).toHaveFocus()
  })

  it('shows the picture of a video, and a place of the same size where there is none', async () => {
    const posterUrl = '/media/a/images/poster?ticket=x'
    openWith([makeModule({ id: 'a', posterUrl }), makeModule({ id: 'b' })])
    await screen.findAllByRole('listitem')
    const images = document.querySelectorAll('img')
    expect([...images].map((image) => image.getAttribute('src'))).toEqual([posterUrl])
    expect(document.querySelectorAll('.aspect-2\\/1')).toHaveLength(2)
    act(() => void images[0]?.dispatchEvent(new Event('error')))
    expect(document.querySelectorAll('img')).toHaveLength(0)
  })

  it('names the module in every action, so that no two buttons audio the same', async () => {
    openWith(THREE)
    await screen.findByText('Label printer')
    const names = [...screen.getAllByRole('button'), ...screen.getAllByRole('link')]
      .filter((element) => element.closest('[role=listitem]'))
      .map((element) => element.getAttribute('aria-label') ?? element.textContent)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toContain('Share: Label printer')
  })

  it('offers something else when there is nothing', async () => {
    openWith([])
    expect(await screen.findByText('Nothing yet')).toBeVisible()
  })

  it('has the server search once the typing pauses, and says what it found', async () => {
    const { user, calls } = openWith(THREE, {
      [`${LIST}&search=passW`]: () => pageOf([THREE[1] as Module]),
      [`${LIST}&search=passWzzz`]: () => pageOf([]),
      ...findsNothing('passW', 'passWzzz'),
    })
    const search = await screen.findByRole('searchbox', { name: 'Search titles, steps, speech and screens' })
    await user.type(search, 'passW')
    await waitFor(() => expect(titles()).toEqual(['Reset a PASSWORD']))
    expect(screen.getByText('1 module matches')).toHaveAttribute('role', 'status')
    expect(calls.filter((call) => call.includes('search='))).toHaveLength(1)
    await user.type(search, 'zzz')
    expect(await screen.findByRole('heading', { name: 'No module matches' })).toBeVisible()
    expect(screen.getByText('No title, step or spoken word matches “passWzzz”.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Clear search' }))
    await waitFor(() => expect(titles()).toHaveLength(3))
    expect(search).toHaveValue('')
    expect(search).toHaveFocus()
  })

  it('shows moments of steps, speech and screens beside the titles, each with a way there', async () => {
    const { user } = openWith(THREE, {
      [`${LIST}&search=drain`]: () => pageOf([]),
      [`${SEARCH}drain`]: () => ({ success: true, found: [foundIn(makeModule({ id: 'a', title: 'Boiler' }))] }),
    })
    await user.type(await screen.findByRole('searchbox'), 'drain{Enter}')
    const section = within(await screen.findByRole('region', { name: 'In steps, speech and screens' }))
    expect(section.getByRole('link', { name: 'Boiler' })).toHaveAttribute('href', '/training/a')
    expect(section.getByRole('link', { name: '00:30 Close the drain Step' })).toHaveAttribute(
      'href',
      '/training/a?t=30',
    )
    const said = section.getByRole('link', { name: '01:01:40 …the drain, a drain Said · Fill it' })
    expect(said).toHaveAttribute('href', '/training/a?t=3700')
    expect([...said.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['drain', 'drain'])
    expect(screen.queryByRole('heading', { name: 'No module matches' })).toBeNull()
    expect(screen.getByText('0 modules match by title, 1 by steps or speech')).toHaveAttribute('role', 'status')
  })

  it('shows three of many found modules above the cards, and all of them on demand', async () => {
    const many = ['a', 'b', 'c', 'd'].map((id) => foundIn(makeModule({ id, title: `Boiler ${id}` })))
    const { user } = openWith(THREE, {
      [`${LIST}&search=drain`]: () => pageOf([THREE[0] as Module]),
      [`${SEARCH}drain`]: () => ({ success: true, found: many }),
    })
    await user.type(await screen.findByRole('searchbox'), 'drain{Enter}')
    await user.click(await screen.findByRole('button', { name: 'Show all 4' }))
    expect(screen.getByRole('link', { name: 'Boiler d' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Show fewer' }))
    expect(screen.queryByRole('link', { name: 'Boiler d' })).toBeNull()
  })

  it('finds titles while steps, speech and screens cannot be searched, and searches them again on demand', async () => {
    let isBroken = true
    const { user } = openWith(THREE, {
      [`${LIST}&search=ret`]: () => pageOf([THREE[2] as Module]),
      [`${SEARCH}ret`]: () => {
        if (isBroken) throw new ApiError({ status: 400, code: 'x', message: 'Not now.' })
        return { success: true, found: [foundIn(makeModule({ id: 'a', title: 'Boiler' }))] }
      },
    })
    await user.type(await screen.findByRole('searchbox'), 'ret{Enter}')
    expect(await screen.findByRole('alert')).toHaveTextContent('Steps, speech and screens could not be searched.')
    await waitFor(() => expect(titles()).toEqual(['Returns']))
    isBroken = false
    await user.click(screen.getByRole('button', { name: 'Search again' }))
    expect(await screen.findByRole('link', { name: 'Boiler' })).toBeVisible()
  })

  it('searches at once on Enter', async () => {
    const { user, calls } = openWith(THREE, {
      [`${LIST}&search=ret`]: () => pageOf([THREE[2] as Module]),
      ...findsNothing('ret'),
    })
    await user.type(await screen.findByRole('searchbox'), 'ret{Enter}')
    await waitFor(() => expect(calls).toContain(`${LIST}&search=ret`))
  })

  it('switches between grid and list, and remembers it', async () => {
    const { user } = openWith(THREE)
    await user.click(await screen.findByRole('button', { name: 'List' }))
    expect(screen.getByRole('button', { name: 'List' })).toHaveAttribute('aria-pressed', 'true')
    expect(screen.getByRole('button', { name: 'Grid' })).toHaveAttribute('aria-pressed', 'false')
    cleanup()
    openWith(THREE)
    expect(await screen.findByRole('button', { name: 'List' })).toHaveAttribute('aria-pressed', 'true')
  })

  it('loads the next page by itself, and gives each item its position for screen readers', async () => {
    openWith([THREE[0] as Module], {
      [`${LIST}&cursor=next`]: () => pageOf([THREE[2] as Module]),
      [LIST]: () => pageOf([THREE[0] as Module], 'next'),
    })
    await screen.findByText('Returns')
    const places = screen.getAllByRole('listitem').map((item) => [item.ariaPosInSet, item.getAttribute('aria-setsize')])
    expect(screen.getAllByRole('listitem').map((item) => item.getAttribute('aria-posinset'))).toEqual(['1', '2'])
    expect(places.map(([, size]) => size)).toEqual(['2', '2'])
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
  })

  it('loads a long list from the first page again when the owner returns to it', async () => {
    const pages = ['a', 'b', 'c', 'd', 'e'].map((id) => makeModule({ id, title: `Title of ${id}` }))
    const answers = Object.fromEntries(
      pages.map((module, index) => {
        const next = pages[index + 1] === undefined ? null : `p${index + 1}`
        return [index === 0 ? LIST : `${LIST}&cursor=p${index}`, () => pageOf([module], next)]
      }),
    )
    const { callApi, calls } = fakeApi(answers)
    function Comings() {
      const [isHere, setIsHere] = useState(true)
      return (
        <>
          <button type="button" onClick={() => setIsHere(!isHere)}>
            Come and go
          </button>
          {isHere && <ModuleLibrary empty={null} onShare={onShare} />}
        </>
      )
    }
    const { user } = renderApp(<Comings />, { callApi })
    await screen.findByText('Title of e')
    calls.length = 0
    await user.click(screen.getByRole('button', { name: 'Come and go' }))
    await user.click(screen.getByRole('button', { name: 'Come and go' }))
    await waitFor(() => expect(calls).toContain(LIST))
    expect(await screen.findByText('Title of e')).toBeVisible()
  })

  it('keeps what it has when a later page fails, and asks for it again on demand', async () => {
    let isBroken = true
    const { user } = open({
      [LIST]: () => pageOf([THREE[0] as Module], 'next'),
      [`${LIST}&cursor=next`]: () => {
        if (isBroken) throw new ApiError({ status: 400, code: 'x', message: 'Not now.' })
        return pageOf([THREE[2] as Module])
      },
    })
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to fetch modules. Not now.')
    await waitFor(() => expect(titles()).toEqual(['Label printer']))
    expect(screen.getByRole('listitem')).toHaveAttribute('aria-setsize', '-1')
    isBroken = false
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByText('Returns')).toBeVisible()
  })

  it('shows how far a module is and how it ended, without loading the list again', async () => {
    vi.useFakeTimers()
    let atWork = [makeModule({ id: 'b', title: 'Pump', status: 'PROCESSING', progress: 60, message: 'Writing' })]
    const { calls } = open({
      [LIST]: () => pageOf([makeModule({ id: 'b', title: 'Pump', status: 'PROCESSING', progress: 42 })]),
      [AT_WORK]: () => ({ success: true, modules: atWork }),
      'GET /api/modules/b': () => ({ success: true, module: { ...makeModule({ id: 'b', title: 'Pump' }), steps: [] } }),
    })
    await act(() => vi.advanceTimersByTimeAsync(100))
    expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '60')
    atWork = []
    await act(() => vi.advanceTimersByTimeAsync(5_100))
    expect(screen.getByText('Ready')).toBeVisible()
    expect(screen.queryByRole('progressbar')).toBeNull()
    expect(calls.filter((call) => call === LIST)).toHaveLength(1)
  })

  it('says that it is still loading after three seconds', async () => {
    vi.useFakeTimers()
    open({ [LIST]: () => new Promise(() => {}) })
    await act(() => vi.advanceTimersByTimeAsync(2_990))
    expect(screen.queryByText('Still loading your modules…')).toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(20))
    expect(screen.getByText('Still loading your modules…')).toBeVisible()
  })

  it('says that there is no connection while the browser is offline', async () => {
    onlineManager.setOnline(false)
    openWith(THREE)
    expect(await screen.findByRole('heading', { name: 'You are offline' })).toBeVisible()
    act(() => onlineManager.setOnline(true))
    expect(await screen.findByText('Label printer')).toBeVisible()
  })

  it('shows the error and retries on demand', async () => {
    let isBroken = true
    const message = 'Not now.'
    const { user } = open({
      [LIST]: () => {
        if (isBroken) throw new ApiError({ status: 400, code: 'x', message })
        return pageOf(THREE)
      },
    })
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to fetch modules')
    expect(screen.getByRole('alert')).toHaveTextContent(message)
    isBroken = false
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByText('Label printer')).toBeVisible()
  })

  it('asks three times, one and then two seconds apart, before it shows the failure', {
    tags: ['spec-7.3', 'spec-9.2'],
  }, async () => {
    vi.useFakeTimers()
    const { calls } = open({
      [LIST]: () => {
        throw new ApiError({ status: 503, code: 'unavailable', message: 'Busy.' })
      },
    })
    await vi.advanceTimersByTimeAsync(999)
    expect(calls).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(calls).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(calls).toHaveLength(3)
    await act(() => vi.advanceTimersByTimeAsync(10))
    expect(screen.getByRole('alert')).toHaveTextContent('Busy.')
  })
})

describe('renaming a module', () => {
  async function rename(answer: () => unknown) {
    const opened = openWith([makeModule({ id: 'a', title: 'Label printer' })], { 'PATCH /api/modules/a': answer })
    await opened.user.click(await screen.findByRole('button', { name: 'More: Label printer' }))
    await opened.user.click(await screen.findByRole('menuitem', { name: 'Rename' }))
    const field = await screen.findByRole('textbox', { name: 'New title of Label printer' })
    await waitFor(() => expect(field).toHaveFocus())
    return { ...opened, field }
  }

  it('saves with Enter, at once on the screen', async () => {
    const { user, calls } = await rename(() => new Promise(() => {}))
    await user.keyboard('Receipt printer{Enter}')
    expect(titles()).toEqual(['Receipt printer'])
    await waitFor(() => expect(calls).toContain('PATCH /api/modules/a'))
    await waitFor(() => expect(screen.getByRole('button', { name: 'More: Receipt printer' })).toHaveFocus())
  })

  it('takes what is typed right after the menu', async () => {
    const patch = { 'PATCH /api/modules/a': () => new Promise(() => {}) }
    const opened = openWith([makeModule({ id: 'a', title: 'Label printer' })], patch)
    await opened.user.click(await screen.findByRole('button', { name: 'More: Label printer' }))
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Rename' }))
    expect(screen.getByRole('textbox', { name: 'New title of Label printer' })).toHaveFocus()
    await opened.user.keyboard('Receipt printer{Enter}')
    expect(titles()).toEqual(['Receipt printer'])
  })

  it('leaves it as it was with Escape', async () => {
    const { user, calls } = await rename(() => ({ success: true }))
    await user.keyboard('Other{Escape}')
    expect(titles()).toEqual(['Label printer'])
    expect(calls).not.toContain('PATCH /api/modules/a')
  })

  it('takes no empty title', async () => {
    const { user, field } = await rename(() => ({ success: true }))
    await user.clear(field)
    await user.keyboard('  {Enter}')
    expect(screen.getByRole('alert')).toHaveTextContent('A title is required')
    expect(field).toBeInvalid()
  })

  it('goes back to the old title when the server refuses', async () => {
    const { user } = await rename(() => {
      throw new ApiError({ status: 503, code: 'unavailable', message: 'Busy.' })
    })
    await user.keyboard('Other{Enter}')
    expect(await screen.findByText('Failed to rename module')).toBeInTheDocument()
    expect(titles()).toEqual(['Label printer'])
  })
})

describe('deleting a module', () => {
  const remove = 'DELETE /api/modules/a'
  const restore = 'POST /api/modules/a/restore'

  async function ask(answers: Record<string, () => unknown>) {
    let modules = THREE
    const opened = open({
      [LIST]: () => pageOf(modules),
      [remove]: async () => {
        const answer = await answers[remove]?.()
        modules = THREE.slice(1)
        return answer
      },
      [restore]: () => {
        modules = THREE
        return { success: true }
      },
    })
    await opened.user.click(await screen.findByRole('button', { name: 'Delete Label printer' }))
    const dialog = screen.getByRole('alertdialog', { name: 'Are you sure you want to delete this module?' })
    return { ...opened, dialog }
  }

  it('does nothing when the question is declined', async () => {
    const { user, dialog, calls } = await ask({})
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(screen.getByText('Label printer')).toBeVisible()
    expect(calls).not.toContain(remove)
    await waitFor(() => expect(screen.getByRole('button', { name: 'Delete Label printer' })).toHaveFocus())
  })

  it('hides the card at once', { tags: 'spec-2.38' }, async () => {
    const { user, dialog, calls } = await ask({ [remove]: () => ({ success: true }) })
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Label printer' })).toBeNull())
    expect(calls).toContain(remove)
    await waitFor(() => expect(screen.getByRole('list', { name: 'Training modules' })).toHaveFocus())
  })

  it('brings the module back when that is taken back', { tags: 'spec-2.38' }, async () => {
    const { user, dialog, calls } = await ask({ [remove]: () => ({ success: true }) })
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
    // The message also listens to swipes, which this window does not know.
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('“Label printer” is back')).toBeVisible()
    expect(calls).toContain(restore)
    expect(await screen.findByRole('heading', { name: 'Label printer' })).toBeVisible()
  })

  it('brings the card back when the server refuses', async () => {
    const { user, dialog } = await ask({
      [remove]: () => {
        throw new ApiError({ status: 503, code: 'unavailable', message: 'Busy.' })
      },
    })
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Failed to delete module')).toBeInTheDocument()
    expect(screen.getByRole('heading', { name: 'Label printer' })).toBeVisible()
  })
})
