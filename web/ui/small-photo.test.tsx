import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { SmallPhoto } from './small-photo.tsx'

it('shows its label until the photo is there, and gives its address back', () => {
  const given: string[] = []
  URL.createObjectURL = () => 'blob:photo'
  URL.revokeObjectURL = (url) => void given.push(url)
  const { rerender, unmount } = render(<SmallPhoto photo={undefined} label="Photo of step 1" />)
  expect(screen.getByText('Photo of step 1')).toBeVisible()
  rerender(<SmallPhoto photo={new Blob(['x'])} label="Photo of step 1" />)
  expect(screen.getByRole('img', { name: 'Photo of step 1' })).toHaveAttribute('src', 'blob:photo')
  unmount()
  expect(given).toEqual(['blob:photo'])
})
