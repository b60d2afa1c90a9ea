import type { LucideIcon } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { type ReactElement, useRef } from 'react'

interface MenuAction {
  icon: LucideIcon
  label: string
  onSelect: () => void
}

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement
  actions: readonly MenuAction[]
}

/** A list of things to do, under a button. Not modal: Radix would hide the rest of the page from readers. */
export function Menu({ trigger, actions }: MenuProps) {
  const chosen = useRef<MenuAction>(null)
  function runChosen() {
    const action = chosen.current
    chosen.current = null
    // After Radix has given the focus back to the button, so that what opens now can take it and return it.
    if (action) queueMicrotask(action.onSelect)
  }
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          onCloseAutoFocus={runChosen}
          className="z-40 min-w-48 animate-fade-in rounded-card border border-line bg-raised p-1.5 shadow-float"
        >
          {actions.map((action) => (
            <DropdownMenu.Item
              key={action.label}
              onSelect={() => {
                chosen.current = action
              }}
              className="flex h-9 cursor-pointer items-center gap-2.5 rounded-control px-2.5 text-sm text-ink outline-none select-none data-highlighted:bg-sunken"
            >
              <action.icon aria-hidden="true" className="size-4 text-ink-faint" />
              {action.label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
