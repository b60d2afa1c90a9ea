export function Logo() {
  return (
    <span className="inline-flex items-center gap-2.5 text-lg font-semibold tracking-tight text-ink">
      <svg aria-hidden="true" viewBox="0 0 32 32" className="size-8">
        <rect width="32" height="32" rx="9" className="fill-brand" />
        <path d="M8 10.5h9M8 16h12M8 21.5h6" className="stroke-on-brand" strokeWidth="2.6" strokeLinecap="round" />
        <path d="M24 7v18" className="stroke-logo-playhead" strokeWidth="2.6" strokeLinecap="round" />
      </svg>
      Adapt
    </span>
  )
}
