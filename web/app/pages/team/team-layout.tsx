import { Building2, ListChecks } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { NavLink, Outlet, useLocation } from 'react-router-dom'
import * as m from '#messages'
import { loadInterface } from '#web/features/auth/clerk-interface.ts'
import { useActiveOrganization } from '#web/features/auth/visitor.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

const OrganizationDialog = lazyPart(async () => {
  const [part] = await Promise.all([
    import('#web/features/auth/organization-dialog.tsx'),
    loadInterface('OrganizationList'),
  ])
  return part.OrganizationDialog
})

/** Pages of an organization, in their order. */
const TABS = [
  { to: '/team/people', label: m.people_tab() },
  { to: '/team/assignments', label: m.assignments_tab() },
  { to: '/team/matrix', label: m.matrix_tab() },
  { to: '/team/records', label: m.records_tab() },
  { to: '/team/notifications', label: m.notifications_tab() },
] as const

/** Around the pages of the organization that a person works in; offers to create one where there is none. */
export function TeamLayout() {
  const organization = useActiveOrganization()
  return (
    <div className="mx-auto w-full max-w-(--page-width) flex-1 px-4 py-10 sm:px-6 sm:py-14">
      <div className="mb-6 flex flex-wrap items-start justify-between gap-3 print:hidden">
        <div className="min-w-0">
          <h1 className="text-3xl font-semibold">{m.team_link()}</h1>
          <p className="mt-2 text-ink-soft">{m.team_explained()}</p>
        </div>
        {organization !== null && (
          <ButtonLink to="/my" variant="secondary">
            <ListChecks aria-hidden="true" className="size-4" />
            {m.my_trainings()}
          </ButtonLink>
        )}
      </div>
      {organization === null ? (
        <WithoutOrganization />
      ) : (
        <>
          <TeamNav />
          {/* What is on the page is of one organization. */}
          <Outlet key={organization} />
        </>
      )}
    </div>
  )
}

function TeamNav() {
  const nav = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // On the narrowest screens the last ones begin beyond the edge.
  useEffect(() => {
    nav.current?.querySelector(`[href='${pathname}']`)?.scrollIntoView?.({ inline: 'nearest', block: 'nearest' })
  }, [pathname])
  return (
    <nav
      ref={nav}
      aria-label={m.team_sections()}
      className="-mx-4 mb-8 flex gap-0.5 overflow-x-auto border-b border-line px-3 sm:mx-0 sm:gap-1 sm:px-0 print:hidden"
    >
      {TABS.map(({ to, label }) => (
        <NavLink
          key={to}
          to={to}
          className="relative flex h-11 shrink-0 items-center rounded-t-control px-2.5 text-sm font-medium sm:px-3 whitespace-nowrap text-ink-soft -outline-offset-2 hover:bg-sunken hover:text-ink aria-[current=page]:text-ink aria-[current=page]:after:absolute aria-[current=page]:after:inset-x-2 aria-[current=page]:after:bottom-0 aria-[current=page]:after:h-0.5 aria-[current=page]:after:rounded-full aria-[current=page]:after:bg-brand"
        >
          {label}
        </NavLink>
      ))}
    </nav>
  )
}

function WithoutOrganization() {
  usePageTitle(m.team_link())
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Notice
        icon={Building2}
        level={2}
        title={m.team_needs_organization()}
        actions={<Button onClick={() => setIsOpen(true)}>{m.choose_an_organization()}</Button>}
      >
        <p>{m.team_needs_organization_explained()}</p>
      </Notice>
      {isOpen && (
        <Suspense>
          <OrganizationDialog name={null} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
