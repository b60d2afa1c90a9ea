import { type RefObject, useEffect, useRef } from 'react'

/** What was drawn last, for what acts later than it was made. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  })
  return latest
}
