import { useEffect, useState } from 'react'

interface SmallPhotoProps {
  /** Undefined while it is not there. */
  photo: Blob | undefined
  /** What it is of; stands in its place while it is not there. */
  label: string
}

/** A photo, small, also on paper. */
export function SmallPhoto({ photo, label }: SmallPhotoProps) {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (photo === undefined) return undefined
    const made = URL.createObjectURL(photo)
    setUrl(made)
    return () => {
      URL.revokeObjectURL(made)
      setUrl(null)
    }
  }, [photo])
  if (url === null) return <span className="text-xs text-ink-soft">{label}</span>
  return <img src={url} alt={label} className="h-20 max-w-32 rounded-control object-contain" />
}
