import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Citation } from '#contract/tutor.ts'
import { TurnView } from '#web/features/tutor/turn-view.tsx'
import { AnswerFrame, findPictured } from './answer-frame.tsx'

const step = (start: number, change: Partial<Parameters<typeof findPictured>[0][number]> = {}) => {
  return { start, end: start + 30, image: `image-${start}`, imageText: `Shown at ${start}`, ...change }
}

it('finds the image that was taken nearest to a moment: of the first third of a step, or where a person chose it', () => {
  const steps = [step(0), step(30), step(60, { imageAt: 88 })]
  expect(findPictured(steps, 34)?.start).toBe(30)
  expect(findPictured(steps, 27)?.start).toBe(30)
  expect(findPictured(steps, 80)?.start).toBe(60)
  expect(findPictured(steps, 108.5)).toBeUndefined()
})

it('takes neither the poster of the video nor a step without an image', () => {
  expect(findPictured([step(0, { image: 'poster' }), step(1, { image: null })], 1)).toBeUndefined()
})

it('shows it with what can be read in it', () => {
  render(<AnswerFrame steps={[step(0)]} posterUrl="/api/m1/images/poster" seconds={4} />)
  expect(screen.getByRole('img', { name: 'Shown at 0' })).toHaveAttribute('src', expect.stringContaining('image-0'))
})

it('is below an answer that cites the screen, once for each moment, and below no other', () => {
  const quote = (start: number, change: Partial<Citation> = {}): Citation => {
    return { segmentIds: [], start, sentence: 'ls -a', ...change }
  }
  const answer = (citations: Citation[]) => (
    <TurnView
      turn={{
        turnId: 't1',
        question: 'What do I type?',
        state: 'complete',
        text: 'Type ls -a.',
        meta: { turnId: 't1', isCovered: true, citations, step: null },
        failure: null,
      }}
      stepStarts={[0]}
      isBusy={false}
      onPlay={() => undefined}
      onRetry={() => undefined}
      renderRating={() => null}
      renderFrame={(seconds) => (
        <AnswerFrame steps={[step(0), step(60)]} posterUrl="/api/m1/images/poster" seconds={seconds} />
      )}
    />
  )
  const { rerender } = render(answer([quote(4)]))
  expect(screen.queryByRole('img')).toBeNull()
  rerender(answer([quote(4, { isOnScreen: true }), quote(4, { isOnScreen: true }), quote(62, { isOnScreen: true })]))
  expect(screen.getAllByRole('img').map((image) => image.getAttribute('alt'))).toEqual(['Shown at 0', 'Shown at 60'])
})
