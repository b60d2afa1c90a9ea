import { Link } from 'react-router-dom'
import { Logo } from '#web/ui/logo.tsx'
import { ThemeButton } from '#web/ui/theme-select.tsx'

/** Who made this, and nothing that leads a learner away. */
export function ShareBar() {
  return (
    <div className="flex items-center justify-between gap-4">
      <Link to="/" className="inline-flex rounded-control">
        <Logo />
      </Link>
      <ThemeButton />
    </div>
  )
}
