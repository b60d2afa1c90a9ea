import type { LucideIcon } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { type ComponentProps, type Ref, useRef, useState } from 'react'
import { Button } from './button.tsx'

interface MenuAction {
  icon: LucideIcon
  label: string
  onSelect: () => void
}

interface MenuProps extends Omit<ComponentProps<typeof Button>, 'onClick'> {
  ref?: Ref<HTMLButtonElement>
  actions: readonly MenuAction[]
}

/**
 * A button with a list of things to do. Not modal: Radix would hide the rest of the page from readers. What the list
 * is made of is drawn when the button is first pressed: a page may have dozens of them.
 */
export function Menu({ actions, ...button }: MenuProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [wasOpened, setWasOpened] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const hasChosen = useRef(false)
  function open() {
    setWasOpened(true)
    setIsOpen(true)
  }
  function choose(action: MenuAction) {
    hasChosen.current = true
    // In the press itself: what opens takes the focus before the next key comes, and gives it back to the button.
    trigger.current?.focus()
    action.onSelect()
  }
  function keepFocus(event: Event) {
    if (hasChosen.current) event.preventDefault()
    hasChosen.current = false
  }
  if (!wasOpened) return <Button {...button} aria-haspopup="menu" aria-expanded={false} onClick={open} />
  return (
    <DropdownMenu.Root modal={false} open={isOpen} onOpenChange={setIsOpen}>
      <DropdownMenu.Trigger asChild ref={trigger}>
        <Button {...button} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          onCloseAutoFocus={keepFocus}
          className="z-40 min-w-48 animate-fade-in rounded-card border border-line bg-raised p-1.5 shadow-float"
        >
          {actions.map((action) => (
            <DropdownMenu.Item
              key={action.label}
              onSelect={() => choose(action)}
              className="flex h-9 cursor-pointer pointer-coarse:h-11 items-center gap-2.5 rounded-control px-2.5 text-sm text-ink outline-none select-none data-highlighted:bg-sunken"
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
