import { useCallback } from 'react'

interface SmallPhotoProps {
  /** Undefined while it is not there. */
  photo: Blob | undefined
  /** What it is of; stands in its place while it is not there. */
  label: string
}

/** A photo, small, also on paper. */
export function SmallPhoto({ photo, label }: SmallPhotoProps) {
  const show = useCallback(
    (image: HTMLImageElement | null) => {
      if (image === null || photo === undefined) return undefined
      const url = URL.createObjectURL(photo)
      image.src = url
      return () => URL.revokeObjectURL(url)
    },
    [photo],
  )
  if (photo === undefined) return <span className="text-xs text-ink-soft">{label}</span>
  return <img ref={show} alt={label} className="h-20 max-w-32 rounded-control object-contain" />
}
