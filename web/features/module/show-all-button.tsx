import * as m from '#messages'
import { Button } from '#web/ui/button.tsx'

interface ShowAllButtonProps {
  isWhole: boolean
  /** How many there are. */
  count: number
  onChange: (isWhole: boolean) => void
}

/** Shows all of a list that is cut, and cuts it again. */
export function ShowAllButton({ isWhole, count, onChange }: ShowAllButtonProps) {
  return (
    <Button variant="ghost" size="small" className="-me-3" aria-expanded={isWhole} onClick={() => onChange(!isWhole)}>
      {isWhole ? m.show_fewer() : m.show_all_count({ count })}
    </Button>
  )
}
