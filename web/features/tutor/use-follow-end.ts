import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Nearer to the end than this counts as at it. */
const SLACK_PX = 32

/**
 * Keeps the end of a list in sight while it grows, until the reader scrolls up.
 * @param content draws again whenever the list does
 */
export function useFollowEnd(box: RefObject<HTMLElement | null>, content: unknown) {
  const [isAtEnd, setIsAtEnd] = useState(true)
  const isFollowing = useRef(true)
  useLayoutEffect(() => {
    if (isFollowing.current) scrollToEnd(box.current)
  }, [box, content])
  function follow() {
    isFollowing.current = true
    setIsAtEnd(true)
    scrollToEnd(box.current)
  }
  return {
    isAtEnd,
    follow,
    onScroll: () => {
      const list = box.current
      if (list === null) return
      isFollowing.current = list.scrollHeight - list.scrollTop - list.clientHeight < SLACK_PX
      setIsAtEnd(isFollowing.current)
    },
  }
}

function scrollToEnd(list: HTMLElement | null): void {
  if (list !== null) list.scrollTop = list.scrollHeight
}
