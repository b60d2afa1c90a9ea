import clsx from 'clsx'
import { Menu, X } from 'lucide-react'
import { type FocusEvent, Suspense, useEffect, useRef, useState } from 'react'
import { Link, NavLink, useLocation } from 'react-router-dom'
import * as m from '#messages'
import { useActiveOrganization, useLikelySignedIn, useVisitor } from '#web/features/auth/visitor.ts'
import { type Connection, useConnectionSpeed } from '#web/features/network/connection-speed.ts'
import { CompactNetworkBadge, FullNetworkBadge } from '#web/features/network/network-badge.tsx'
import { listen } from '#web/lib/browser-state.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { LanguageButton, LanguageField } from '#web/ui/language-select.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { ThemeButton, ThemeField } from '#web/ui/theme-select.tsx'
import { useAuthPaths } from './shared/paths.ts'

const AccountButton = lazyPart(async () => (await import('#web/features/auth/account-button.tsx')).AccountButton)

const LINKS = [
  { to: '/', label: m.home_link() },
  { to: '/dashboard', label: m.dashboard_link() },
  { to: '/upload', label: m.upload_page_link() },
] as const
/** What belongs to the organization that a person works in. */
const TEAM_LINK = { to: '/team', label: m.team_link() } as const

/** Leaves the bar's place free where it is not drawn yet. */
export const BELOW_BAR = 'pt-[calc(--spacing(16)+1px)]'

export function NavBar() {
  const { toggle, isMenuOpen, setIsMenuOpen, ...menu } = useMenu()
  const connection = useConnectionSpeed({ isSignedIn: useVisitor() === 'signedIn' })
  const MenuIcon = isMenuOpen ? X : Menu
  return (
    <header
      onBlur={menu.closeOnLeave}
      className="sticky top-0 z-40 border-b border-line bg-canvas/85 backdrop-blur-md print:hidden"
    >
      <nav
        aria-label={m.main_navigation()}
        className="mx-auto flex h-16 max-w-(--page-width) items-center gap-2 px-4 sm:px-6"
      >
        <Link to="/" className="flex rounded-control py-1 pe-2">
          <Logo />
        </Link>
        <div className="ms-4 hidden flex-1 items-center gap-1 md:flex">
          <PageLinks />
        </div>
        <div className="ms-auto flex items-center gap-2">
          <CompactNetworkBadge speed={connection.speed} />
          <LanguageButton className="hidden md:grid" />
          <ThemeButton className="hidden md:grid" />
          <Account />
          <Button
            ref={toggle}
            variant="ghost"
            size="icon"
            className="md:hidden"
            aria-label={isMenuOpen ? m.close_menu() : m.open_menu()}
            aria-expanded={isMenuOpen}
            aria-controls={isMenuOpen ? 'mobile-menu' : undefined}
            onClick={() => setIsMenuOpen(!isMenuOpen)}
          >
            <MenuIcon aria-hidden="true" className="size-5" />
          </Button>
        </div>
      </nav>
      {isMenuOpen && <MobileMenu connection={connection} onChoose={menu.choose} />}
    </header>
  )
}

/** The menu of small screens is open at one place only: whatever leads to another one closes it. */
function useMenu() {
  const toggle = useRef<HTMLButtonElement>(null)
  const { key } = useLocation()
  const [openAt, setOpenAt] = useState<string | null>(null)
  const isMenuOpen = openAt === key
  const setIsMenuOpen = (isOpen: boolean) => setOpenAt(isOpen ? key : null)

  /** What was chosen goes away with the menu; a page that opens takes the focus from here. */
  function choose() {
    setOpenAt(null)
    toggle.current?.focus()
  }
  useEffect(() => {
    if (isMenuOpen) return listen(document, { keydown: ({ key }: KeyboardEvent) => key === 'Escape' && choose() })
  })

  /** A person who moves on to the page with the keyboard must not have it hidden behind the menu. */
  function closeOnLeave({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) {
    if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) setOpenAt(null)
  }
  return { toggle, isMenuOpen, setIsMenuOpen, choose, closeOnLeave }
}

function MobileMenu({ connection, onChoose }: { connection: Connection; onChoose: () => void }) {
  const isSignedIn = useLikelySignedIn()
  return (
    <nav id="mobile-menu" aria-label={m.menu()} className="animate-fade-in border-t border-line px-4 py-4 md:hidden">
      <div className="flex flex-col gap-1">
        <PageLinks onChoose={onChoose} />
      </div>
      <LanguageField />
      <ThemeField />
      <div className="mt-3">
        <FullNetworkBadge {...connection} />
      </div>
      {!isSignedIn && (
        <div className="mt-4 grid grid-cols-2 gap-3 border-t border-line pt-4 sm:hidden">
          <SignInLinks onChoose={onChoose} />
        </div>
      )}
    </nav>
  )
}

function PageLinks({ onChoose }: { onChoose?: () => void }) {
  const links = useActiveOrganization() === null ? LINKS : [...LINKS, TEAM_LINK]
  return links.map(({ to, label }) => (
    <NavLink
      key={to}
      to={to}
      end={to !== TEAM_LINK.to}
      onClick={onChoose}
      className={({ isActive }) =>
        clsx(
          'flex h-10 items-center rounded-control px-3 text-sm font-medium transition-colors',
          isActive ? 'bg-sunken text-ink' : 'text-ink-soft hover:bg-sunken hover:text-ink',
        )
      }
    >
      {label}
    </NavLink>
  ))
}

function Account() {
  const visitor = useVisitor()
  const isLikelySignedIn = useLikelySignedIn()
  // Its menu is for people who can work; their page has a button to sign out.
  if (visitor === 'needsOrganization') return null
  if (isLikelySignedIn) {
    return (
      // The size of Clerk's button, so that nothing moves when it arrives.
      <div className="flex h-9 min-w-9 items-center justify-end gap-2">
        <Suspense>
          {visitor === 'signedIn' ? <AccountButton /> : <Skeleton className="mx-auto size-7 rounded-full" />}
        </Suspense>
      </div>
    )
  }
  return (
    <div className="hidden items-center gap-2 sm:flex">
      <SignInLinks />
    </div>
  )
}

function SignInLinks({ onChoose }: { onChoose?: () => void }) {
  const { signIn, signUp } = useAuthPaths()
  return (
    <>
      <ButtonLink to={signIn} variant="ghost" onClick={onChoose}>
        {m.sign_in_link()}
      </ButtonLink>
      <ButtonLink to={signUp} onClick={onChoose}>
        {m.get_started()}
      </ButtonLink>
    </>
  )
}
