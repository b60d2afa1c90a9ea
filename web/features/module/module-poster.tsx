import clsx from 'clsx'
import { Film } from 'lucide-react'
import { useState } from 'react'

/** The video's image, or what holds its place: the frame has its size before anything is loaded. */
export function ModulePoster({ posterUrl, className }: { posterUrl: string | null; className?: string }) {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null)
  return (
    <div
      aria-hidden="true"
      className={clsx(
        'relative grid place-items-center overflow-hidden bg-linear-to-br from-brand-soft to-sunken',
        className,
      )}
    >
      <Film className="size-7 text-brand opacity-60" strokeWidth={1.5} />
      {posterUrl !== null && posterUrl !== brokenUrl && (
        <img
          src={posterUrl}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setBrokenUrl(posterUrl)}
          className="absolute inset-0 size-full object-cover"
        />
      )}
    </div>
  )
}
