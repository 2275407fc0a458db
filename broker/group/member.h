/* Members of a classic group; used by classic.c only. */
#pragma once

#include "broker/group/classic.h"

/* New member at the end of the list; strings are copied. The id must be new. */
struct group_member *group_member_add(struct group_core *g, struct br_str id, struct br_str instance_id, struct br_str client_id,
                                      struct br_str client_host);
/* Frees it; a leader that goes leaves the group without one. */
void group_member_remove(struct group_core *g, struct group_member *m);
/* Static member that came back under a new id; keeps its place and its leadership. */
void group_member_rename(struct group_core *g, struct group_member *m, struct br_str id);
void group_member_set_protocols(struct group_member *m, const struct group_protocol_in *protocols, unsigned count);
bool group_member_has_protocols(const struct group_member *m, const struct group_protocol_in *protocols, unsigned count);
bool group_member_supports(const struct group_member *m, const char *protocol);
void group_member_set_assignment(struct group_member *m, struct br_str assignment);
