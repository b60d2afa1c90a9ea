import { type ChangeEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { buttonClass } from './button.tsx'

/**
 * Keeps the focus where a photo is added or removed: the input and the photo take the place of each other.
 * @param photo what tells one from another
 * @returns for the element around both
 */
export function useKeptFocus(photo: unknown) {
  const place = useRef<HTMLDivElement>(null)
  const last = useRef(photo)
  // Before a dialog takes the focus that is lost.
  useLayoutEffect(() => {
    if (photo !== last.current && document.activeElement === document.body)
      place.current?.querySelector<HTMLElement>('input, button')?.focus({ preventScroll: true })
    last.current = photo
  }, [photo])
  return place
}

interface PhotoInputProps {
  /** Id of what says who sees the photo. */
  noteId: string
  size?: 'small'
  onPhoto: (file: File) => void
  children: ReactNode
}

/** A button that takes a photo with the camera of a phone, or has one chosen elsewhere. */
export function PhotoInput({ noteId, size, onPhoto, children }: PhotoInputProps) {
  const id = useId()
  function take({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const file = currentTarget.files?.[0]
    // The same file again is another choice.
    currentTarget.value = ''
    if (file) onPhoto(file)
  }
  return (
    <>
      <input
        id={id}
        type="file"
        accept="image/*"
        capture="environment"
        onChange={take}
        className="peer sr-only"
        aria-describedby={noteId}
      />
      <label
        htmlFor={id}
        className={buttonClass({
          variant: 'secondary',
          ...(size && { size }),
          className: 'cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-brand',
        })}
      >
        {children}
      </label>
    </>
  )
}
