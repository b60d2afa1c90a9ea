import { OrganizationList, useClerk } from '@clerk/react'
import { Users } from 'lucide-react'
import * as m from '#messages'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

/** Where a person goes on after another organization, or their own account, has become the active one. */
const AFTER_SWITCH = '/dashboard'

/** Our dialog has the frame and the title. */
const LIST_APPEARANCE = {
  elements: {
    rootBox: { width: '100%' },
    cardBox: { boxShadow: 'none', width: '100%', maxWidth: 'none', borderRadius: '0' },
    card: { boxShadow: 'none', border: 'none', background: 'none' },
    headerTitle: { fontSize: '1rem', letterSpacing: 'normal' },
    headerSubtitle: { display: 'none' },
    footer: { display: 'none' },
  },
} as const

interface OrganizationDialogProps {
  /** Of the active organization; null without one. */
  name: string | null
  onClose: () => void
}

/**
 * Where a person works: switches between their own account and organizations, joins and creates some. Apart from the
 * account button, since few visits need it.
 */
export function OrganizationDialog({ name, onClose }: OrganizationDialogProps) {
  const clerk = useClerk()
  function manage() {
    onClose()
    clerk.openOrganizationProfile({ afterLeaveOrganizationUrl: AFTER_SWITCH })
  }
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={m.organizations()}
      description={name === null ? m.you_work_in_personal() : m.you_work_in_name({ name })}
    >
      <OrganizationList
        appearance={LIST_APPEARANCE}
        afterSelectPersonalUrl={AFTER_SWITCH}
        afterSelectOrganizationUrl={AFTER_SWITCH}
        afterCreateOrganizationUrl={AFTER_SWITCH}
      />
      {name !== null && (
        <Button variant="secondary" className="mt-5 w-full" onClick={manage}>
          <Users aria-hidden="true" className="size-4" />
          {m.members_and_settings()}
        </Button>
      )}
    </Dialog>
  )
}
