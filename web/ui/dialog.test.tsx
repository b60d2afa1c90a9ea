import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { renderApp } from '#web/testing/render-app.tsx'
import { Dialog } from './dialog.tsx'

function Page() {
  const [isOpen, setIsOpen] = useState(false)
  const [isListed, setIsListed] = useState(true)
  return (
    <main id="main" tabIndex={-1}>
      {isListed && (
        <button type="button" onClick={() => setIsOpen(true)}>
          Open
        </button>
      )}
      <Dialog isOpen={isOpen} onOpenChange={setIsOpen} title="Entry">
        <button type="button" onClick={() => setIsListed(false)}>
          Remove
        </button>
      </Dialog>
    </main>
  )
}

it('gives the focus back to what has opened it', async () => {
  const { user } = renderApp(<Page />)
  await user.click(await screen.findByRole('button', { name: 'Open' }))
  await screen.findByRole('dialog')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.getByRole('button', { name: 'Open' })).toHaveFocus())
})

it('leaves the focus on the page where what has opened it is gone', async () => {
  const { user } = renderApp(<Page />)
  await user.click(await screen.findByRole('button', { name: 'Open' }))
  await user.click(await screen.findByRole('button', { name: 'Remove' }))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(screen.getByRole('main')).toHaveFocus())
})
