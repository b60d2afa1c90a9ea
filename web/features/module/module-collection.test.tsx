import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { VirtualRows } from './module-collection.tsx'

const ROW_PX = 100
const ROWS = 100

// jsdom lays nothing out.
beforeEach(() => void vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(ROW_PX))
afterEach(() => vi.restoreAllMocks())

it('has the next row there for the keyboard before the page has scrolled', async () => {
  render(
    <VirtualRows
      ref={null}
      label="Modules"
      rowCount={ROWS}
      estimatePx={ROW_PX}
      gapPx={0}
      isBusy={false}
      rowClass=""
      onReach={() => {}}
      renderRow={(row) => <button type="button">Row {row}</button>}
    />,
  )
  expect(screen.getAllByRole('button').length).toBeLessThan(ROWS / 2)
  for (let row = 0; row < ROWS; row += 1) {
    await userEvent.tab()
    expect(document.activeElement).toHaveTextContent(`Row ${row}`)
  }
  await userEvent.tab({ shift: true })
  expect(document.activeElement).toHaveTextContent(`Row ${ROWS - 2}`)
})
