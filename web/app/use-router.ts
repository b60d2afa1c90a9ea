import { use } from 'react'
import { UNSAFE_DataRouterContext } from 'react-router-dom'

/**
 * The router itself. Clerk keeps the first function for navigation that it is given, and one that `useNavigate` gave to
 * a render that React has thrown away goes nowhere.
 */
export function useRouter() {
  const context = use(UNSAFE_DataRouterContext)
  if (context === null) throw new Error('useRouter needs a data router')
  return context.router
}
