import { UserButton, useOrganization, useUser } from '@clerk/react'
import { Bug, Building2, FileUser, X } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { useLocation } from 'react-router-dom'
import * as m from '#messages'
import { listen, useIsOnline } from '#web/lib/browser-state.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/loading.tsx'
import { LoadFailure } from '#web/ui/notice.tsx'
import { loadInterface } from './clerk-interface.ts'

const OrganizationDialog = lazyPart(async () => (await import('./organization-dialog.tsx')).OrganizationDialog)

/** Loads what opens here, by the name that a failure calls it. */
const LOADERS = {
  'account menu': () => loadInterface('UserButton'),
  'list of organizations': () => Promise.all([loadInterface('OrganizationList'), import('./organization-dialog.tsx')]),
}
type Opened = keyof typeof LOADERS

/**
 * The image of the signed-in person, which opens Clerk's menu, beside the name of the active organization. This file is
 * loaded lazily, so that pages for strangers do not load Clerk.
 */
export function AccountButton() {
  const { key } = useLocation()
  // A choice leads to another place, which closes the dialog.
  const [openAt, setOpenAt] = useState<string | null>(null)
  const [hasMenu, setHasMenu] = useState(false)
  const { organization } = useOrganization()
  const name = organization?.name ?? null
  const late = useLateInterface((opened) => (opened === 'account menu' ? setHasMenu(true) : setOpenAt(key)))
  const menuButton = (
    <MenuButton isLoading={late.loading === 'account menu'} onClick={() => late.open('account menu')} />
  )
  return (
    <>
      {name !== null && (
        <Button
          variant="ghost"
          size="small"
          className="max-sm:size-9 max-sm:px-0!"
          aria-label={m.organization_named({ name })}
          title={name}
          onClick={() => late.open('list of organizations')}
        >
          {late.loading === 'list of organizations' ? (
            <Spinner className="size-4" />
          ) : (
            <Building2 aria-hidden="true" className="size-4 shrink-0" />
          )}
          <span className="max-w-40 truncate max-sm:hidden">{name}</span>
        </Button>
      )}
      <div className="grid size-9 place-items-center">
        {hasMenu ? <ClerkMenu fallback={menuButton} onOrganizations={() => setOpenAt(key)} /> : menuButton}
      </div>
      <p role="status" className="sr-only">
        {late.loading !== null && LOADING[late.loading]}
      </p>
      {late.failed !== null && (
        <OpeningFailed
          what={late.failed}
          isBusy={late.loading !== null}
          onRetry={() => late.failed && late.open(late.failed)}
          onClose={late.forget}
        />
      )}
      {openAt === key && (
        <Suspense>
          <OrganizationDialog name={name} onClose={() => setOpenAt(null)} />
        </Suspense>
      )}
    </>
  )
}

/** Loads what is to be opened before it is: the press counts, however long that takes. */
function useLateInterface(onLoaded: (opened: Opened) => void) {
  const [loading, setLoading] = useState<Opened | null>(null)
  const [failed, setFailed] = useState<Opened | null>(null)
  async function open(opened: Opened) {
    if (loading !== null) return
    setLoading(opened)
    try {
      await LOADERS[opened]()
      setFailed(null)
      onLoaded(opened)
    } catch {
      setFailed(opened)
    } finally {
      setLoading(null)
    }
  }
  return { loading, failed, open: (opened: Opened) => void open(opened), forget: () => setFailed(null) }
}

/** Looks like Clerk's own button, in whose place it stands until the menu is first opened. */
function MenuButton({ isLoading, onClick }: { isLoading: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      aria-label={m.open_user_menu()}
      aria-haspopup="dialog"
      aria-expanded={false}
      aria-busy={isLoading}
      onClick={onClick}
      className="relative grid size-9 place-items-center rounded-full"
    >
      <Avatar />
      {isLoading && <Spinner className="absolute inset-0 size-9 text-brand" />}
    </button>
  )
}

/** The person's image, which Clerk draws for those who gave none; initials where it cannot be loaded. */
function Avatar() {
  const { user } = useUser()
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null)
  if (!user) return null
  const { imageUrl, firstName, lastName, primaryEmailAddress } = user
  if (imageUrl !== '' && imageUrl !== brokenUrl) {
    return (
      <img src={imageUrl} alt="" onError={() => setBrokenUrl(imageUrl)} className="size-7 rounded-full object-cover" />
    )
  }
  const initials = `${firstName?.[0] ?? ''}${lastName?.[0] ?? ''}` || (primaryEmailAddress?.emailAddress[0] ?? '')
  return (
    <span className="grid size-7 place-items-center rounded-full bg-brand-soft text-xs font-semibold text-brand-ink uppercase">
      {initials}
    </span>
  )
}

/** Opens by itself: the press that asked for it was on the button in whose place it comes. */
function ClerkMenu({ fallback, onOrganizations }: { fallback: ReactNode; onOrganizations: () => void }) {
  return (
    <UserButton defaultOpen fallback={fallback}>
      <UserButton.MenuItems>
        <UserButton.Action
          label={m.organizations()}
          labelIcon={<Building2 aria-hidden="true" className="size-4" />}
          onClick={onOrganizations}
        />
        <UserButton.Link
          label={m.your_data()}
          labelIcon={<FileUser aria-hidden="true" className="size-4" />}
          href="/account"
        />
        <UserButton.Link label={m.debug()} labelIcon={<Bug aria-hidden="true" className="size-4" />} href="/debug" />
      </UserButton.MenuItems>
    </UserButton>
  )
}

interface OpeningFailedProps {
  what: Opened
  isBusy: boolean
  onRetry: () => void
  onClose: () => void
}

const LOADING = { 'account menu': m.loading_account_menu(), 'list of organizations': m.loading_organizations() }
const FAILED = { 'account menu': m.the_account_menu_failed, 'list of organizations': m.the_organizations_failed }

/** Below the bar: says why nothing opened, and tries again. */
function OpeningFailed({ what, isBusy, onRetry, onClose }: OpeningFailedProps) {
  const isOnline = useIsOnline()
  useEffect(() => listen(document, { keydown: ({ key }: KeyboardEvent) => key === 'Escape' && onClose() }))
  const advice = isOnline ? m.check_your_connection_or_a() : m.you_are_offline_try_again()
  return (
    <div className="absolute inset-x-4 top-full mt-2 flex animate-fade-in items-start gap-2 rounded-card border border-line bg-raised p-4 shadow-float sm:left-auto sm:w-88">
      <LoadFailure
        className="flex-1"
        message={FAILED[what]({ advice })}
        retryLabel={m.try_again()}
        {...{ isBusy, onRetry }}
      />
      <Button variant="ghost" size="icon" aria-label={m.close()} className="-mt-2 -me-2" onClick={onClose}>
        <X aria-hidden="true" className="size-5" />
      </Button>
    </div>
  )
}
