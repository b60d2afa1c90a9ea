import { Logo } from '#web/ui/logo.tsx'

export function SiteFooter() {
  return (
    <footer className="border-t border-line">
      <div className="mx-auto flex max-w-7xl flex-wrap items-center justify-between gap-4 px-4 py-8 text-sm text-ink-soft sm:px-6">
        <Logo />
        <p>Training videos that teach step by step.</p>
      </div>
    </footer>
  )
}
