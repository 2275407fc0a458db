/* The classic group machine: a tested answer for each state and request, and random clients against its invariants K-1, K-2, K-3, K-4, K-5 (group_core_check). */
#include "tests/support/harness.h"
#include "broker/group/classic.h"
#include "broker/group/record.h"
#include "compat/base/arena.h"
#include "compat/base/mem.h"
#include "compat/base/rand.h"

static struct group_core g;
static struct group_effects fx;
static int tokens[64]; /* their addresses are tokens */
static int64_t now;

static int setup(void **state)
{
    (void)state;
    group_core_init(&g, (struct group_limits){.size_max = 8, .initial_delay_ms = 3000});
    now = 1000;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    group_core_clear(&g);
    group_effects_clear(&fx);
    return 0;
}

static void drop_effects(void)
{
    fx.count = 0;
    group_core_check(&g);
}

static struct group_protocol_in range_protocol = {{"range", 5}, {"topics", 6}};

static enum kw_error join(const char *id, const char *instance, int token, const char *new_id, bool needs_id)
{
    struct group_join in = {
        .member_id = br_str_c(id), .instance_id = br_str_c(instance), .client_id = br_str_c("c"), .client_host = br_str_c("/h"),
        .protocol_type = br_str_c("consumer"), .protocols = &range_protocol, .protocol_count = 1, .session_timeout_ms = 10000,
        .rebalance_timeout_ms = 30000, .requires_known_id = needs_id, .new_id = br_str_c(new_id),
    };
    return group_core_join(&g, &in, &tokens[token], now, &fx);
}

static const struct group_effect *effect_for(int token)
{
    for (size_t i = 0; i < fx.count; i++)
        if (fx.items[i].token == &tokens[token])
            return &fx.items[i];
    return NULL;
}

static bool persists(void)
{
    for (size_t i = 0; i < fx.count; i++)
        if (fx.items[i].kind == GROUP_FX_PERSIST)
            return true;
    return false;
}

static enum kw_error sync(const char *id, int32_t generation, int token, const struct group_assignment_in *a, unsigned count)
{
    return group_core_sync(&g, br_str_c(id), br_str(NULL, 0), generation, br_str(NULL, 0), br_str(NULL, 0), a, count, &tokens[token], now, &fx);
}

/* Members a and b, a leads, generation 1, stable. */
static void make_stable_pair(void)
{
    assert_int_equal(join("", NULL, 0, "a", false), KW_NONE);
    assert_int_equal(join("", NULL, 1, "b", false), KW_NONE);
    now += 3000;
    group_core_tick(&g, now, &fx);
    assert_non_null(effect_for(0));
    drop_effects();
    struct group_assignment_in split[2] = {{{"a", 1}, {"p0", 2}}, {{"b", 1}, {"p1", 2}}};
    assert_int_equal(sync("b", 1, 1, NULL, 0), KW_NONE);
    assert_int_equal(sync("a", 1, 0, split, 2), KW_NONE);
    assert_true(persists());
    drop_effects();
    group_core_persisted(&g, KW_NONE, now, &fx);
    assert_int_equal(g.state, GROUP_STABLE);
    assert_true(br_str_eq_c(effect_for(0)->member->assignment, "p0"));
    assert_true(br_str_eq_c(effect_for(1)->member->assignment, "p1"));
    drop_effects();
}

static void test_first_join_is_asked_for_its_member_id(void **state)
{
    (void)state;
    assert_int_equal(join("", NULL, 0, "given", true), KW_MEMBER_ID_REQUIRED);
    assert_int_equal(join("given", NULL, 0, "x", true), KW_NONE);
    assert_int_equal(join("never-given", NULL, 1, "x", true), KW_UNKNOWN_MEMBER_ID);
    drop_effects();
}

static void test_id_given_and_not_used_expires_with_the_session(void **state)
{
    (void)state;
    assert_int_equal(join("", NULL, 0, "given", true), KW_MEMBER_ID_REQUIRED);
    now += 10000;
    group_core_tick(&g, now, &fx);
    assert_int_equal(join("given", NULL, 0, "x", true), KW_UNKNOWN_MEMBER_ID);
}

static void test_a_delay_that_is_over_is_no_deadline_while_ids_are_out(void **state)
{
    (void)state;
    assert_int_equal(join("", NULL, 0, "m-a", true), KW_MEMBER_ID_REQUIRED);
    assert_int_equal(join("", NULL, 1, "m-b", true), KW_MEMBER_ID_REQUIRED);
    assert_int_equal(join("m-a", NULL, 0, "", true), KW_NONE);
    now += 3000;
    group_core_tick(&g, now, &fx); /* m-b is still to come */
    assert_null(effect_for(0));
    assert_true(group_core_deadline(&g) > now);
    assert_int_equal(join("m-b", NULL, 1, "", true), KW_NONE);
    assert_non_null(effect_for(0));
    drop_effects();
}

static void test_initial_delay_gathers_members_into_one_generation(void **state)
{
    (void)state;
    assert_int_equal(join("", NULL, 0, "a", false), KW_NONE);
    now += 2000;
    group_core_tick(&g, now, &fx);
    assert_int_equal(join("", NULL, 1, "b", false), KW_NONE);
    now += 2000; /* 4 s after the first: the delay was extended */
    group_core_tick(&g, now, &fx);
    assert_int_equal(fx.count, 0);
    now += 1000;
    group_core_tick(&g, now, &fx);
    assert_int_equal(g.generation, 1);
    assert_true(effect_for(0)->with_members && !effect_for(1)->with_members);
    drop_effects();
}

static void test_sync_waits_for_leader_and_for_the_log(void **state)
{
    (void)state;
    make_stable_pair();
}

static void test_heartbeat_answers_by_state(void **state)
{
    (void)state;
    make_stable_pair();
    struct br_str none = br_str(NULL, 0);
    assert_int_equal(group_core_heartbeat(&g, br_str_c("a"), none, 1, now), KW_NONE);
    assert_int_equal(group_core_heartbeat(&g, br_str_c("a"), none, 2, now), KW_ILLEGAL_GENERATION);
    assert_int_equal(group_core_heartbeat(&g, br_str_c("z"), none, 1, now), KW_UNKNOWN_MEMBER_ID);
    assert_int_equal(join("", NULL, 2, "c", false), KW_NONE); /* rebalance begins */
    assert_int_equal(group_core_heartbeat(&g, br_str_c("a"), none, 1, now), KW_REBALANCE_IN_PROGRESS);
    drop_effects();
}

static void test_heartbeats_keep_a_member_through_a_slow_rebalance(void **state)
{
    (void)state;
    make_stable_pair();
    assert_int_equal(join("", NULL, 2, "c", false), KW_NONE);
    assert_int_equal(join("b", NULL, 1, "x", true), KW_NONE);
    for (int i = 0; i < 25; i++) { /* a takes 25 s with a session of 10 s, but heartbeats */
        now += 1000;
        assert_int_equal(group_core_heartbeat(&g, br_str_c("a"), br_str(NULL, 0), 1, now), KW_REBALANCE_IN_PROGRESS);
        group_core_tick(&g, now, &fx);
    }
    assert_int_equal(join("a", NULL, 0, "x", true), KW_NONE);
    assert_int_equal(g.generation, 2);
    assert_int_equal(br_map_count(&g.by_id), 3);
    drop_effects();
}

static void test_member_that_does_not_rejoin_is_removed_at_the_timeout(void **state)
{
    (void)state;
    make_stable_pair();
    assert_int_equal(join("", NULL, 2, "c", false), KW_NONE);
    for (int i = 0; i < 30; i++) {
        now += 1000;
        group_core_heartbeat(&g, br_str_c("a"), br_str(NULL, 0), 1, now);
        group_core_tick(&g, now, &fx);
    }
    assert_int_equal(g.generation, 2);
    assert_null(group_core_member(&g, br_str_c("a")));
    assert_null(group_core_member(&g, br_str_c("b")));
    assert_string_equal(g.leader, "c");
    drop_effects();
}

static void test_member_that_does_not_sync_is_removed(void **state)
{
    (void)state;
    assert_int_equal(join("", NULL, 0, "a", false), KW_NONE);
    assert_int_equal(join("", NULL, 1, "b", false), KW_NONE);
    now += 3000;
    group_core_tick(&g, now, &fx);
    drop_effects();
    for (int i = 0; i < 31; i++) {
        now += 1000;
        group_core_heartbeat(&g, br_str_c("a"), br_str(NULL, 0), 1, now);
        group_core_heartbeat(&g, br_str_c("b"), br_str(NULL, 0), 1, now);
        group_core_tick(&g, now, &fx);
    }
    assert_int_equal(g.state, GROUP_EMPTY);
    drop_effects();
}

static void test_lost_sockets_leave_by_their_session(void **state)
{
    (void)state;
    make_stable_pair();
    assert_int_equal(join("a", NULL, 0, "x", true), KW_NONE); /* the leader asks for a rebalance */
    group_core_forget_token(&g, &tokens[0], now);             /* and its socket dies */
    now += 9000;
    group_core_heartbeat(&g, br_str_c("b"), br_str(NULL, 0), 1, now);
    now += 2000;
    group_core_tick(&g, now, &fx);
    assert_null(group_core_member(&g, br_str_c("a")));
    assert_int_equal(join("b", NULL, 1, "x", true), KW_NONE);
    assert_int_equal(g.state, GROUP_COMPLETING);
    assert_int_equal(g.generation, 2);
    drop_effects();
}

static void test_follower_rejoin_with_same_metadata_changes_nothing(void **state)
{
    (void)state;
    make_stable_pair();
    assert_int_equal(join("b", NULL, 1, "x", true), KW_NONE);
    assert_int_equal(g.state, GROUP_STABLE);
    assert_int_equal(g.generation, 1);
    assert_false(effect_for(1)->with_members);
    drop_effects();
    assert_int_equal(join("a", NULL, 0, "x", true), KW_NONE); /* the leader's does */
    assert_int_equal(g.state, GROUP_PREPARING);
    drop_effects();
}

static void test_protocols_without_common_one_are_refused(void **state)
{
    (void)state;
    make_stable_pair();
    struct group_protocol_in other = {{"roundrobin", 10}, {"", 0}};
    struct group_join in = {.member_id = br_str_c(""), .instance_id = br_str(NULL, 0), .client_id = br_str_c("c"), .client_host = br_str_c("/h"),
                            .protocol_type = br_str_c("consumer"), .protocols = &other, .protocol_count = 1, .session_timeout_ms = 10000,
                            .rebalance_timeout_ms = 30000, .new_id = br_str_c("n")};
    assert_int_equal(group_core_join(&g, &in, &tokens[5], now, &fx), KW_INCONSISTENT_GROUP_PROTOCOL);
    in.protocols = &range_protocol;
    in.protocol_type = br_str_c("connect");
    assert_int_equal(group_core_join(&g, &in, &tokens[5], now, &fx), KW_INCONSISTENT_GROUP_PROTOCOL);
    drop_effects();
}

static void test_static_member_comes_back_without_a_rebalance(void **state)
{
    (void)state;
    assert_int_equal(join("", "i1", 0, "s1", true), KW_NONE);
    now += 3000;
    group_core_tick(&g, now, &fx);
    drop_effects();
    struct group_assignment_in all = {{"s1", 2}, {"p0", 2}};
    assert_int_equal(group_core_sync(&g, br_str_c("s1"), br_str_c("i1"), 1, br_str(NULL, 0), br_str(NULL, 0), &all, 1, &tokens[0], now, &fx), KW_NONE);
    group_core_persisted(&g, KW_NONE, now, &fx);
    drop_effects();
    assert_int_equal(join("", "i1", 1, "s2", true), KW_NONE);
    assert_int_equal(g.state, GROUP_STABLE);
    assert_int_equal(g.generation, 1);
    assert_true(effect_for(1)->skip_assignment && persists());
    drop_effects();
    assert_int_equal(group_core_heartbeat(&g, br_str_c("s1"), br_str_c("i1"), 1, now), KW_FENCED_INSTANCE_ID);
    assert_int_equal(group_core_commit_check(&g, br_str_c("s1"), br_str_c("i1"), 1, now), KW_FENCED_INSTANCE_ID);
    assert_int_equal(group_core_heartbeat(&g, br_str_c("s2"), br_str_c("i1"), 1, now), KW_NONE);
    assert_int_equal(join("s2", "i1", 2, "x", true), KW_NONE); /* repeats its own join: not fenced */
    drop_effects();
}

static void test_commits_are_fenced_by_generation_and_state(void **state)
{
    (void)state;
    struct br_str none = br_str(NULL, 0);
    assert_int_equal(group_core_commit_check(&g, br_str_c(""), none, -1, now), KW_NONE);
    make_stable_pair();
    assert_int_equal(group_core_commit_check(&g, br_str_c(""), none, -1, now), KW_UNKNOWN_MEMBER_ID);
    assert_int_equal(group_core_commit_check(&g, br_str_c("a"), none, 1, now), KW_NONE);
    assert_int_equal(group_core_commit_check(&g, br_str_c("a"), none, 0, now), KW_ILLEGAL_GENERATION);
    assert_int_equal(join("a", NULL, 0, "x", true), KW_NONE);
    assert_int_equal(group_core_commit_check(&g, br_str_c("b"), none, 1, now), KW_NONE); /* preparing: may still commit */
    assert_int_equal(join("b", NULL, 1, "x", true), KW_NONE);
    assert_int_equal(group_core_commit_check(&g, br_str_c("a"), none, 2, now), KW_REBALANCE_IN_PROGRESS);
    drop_effects();
}

static void test_leaving_starts_a_rebalance_and_the_last_one_empties_the_group(void **state)
{
    (void)state;
    make_stable_pair();
    assert_int_equal(group_core_leave(&g, br_str_c("a"), br_str(NULL, 0), now, &fx), KW_NONE);
    assert_int_equal(g.state, GROUP_PREPARING);
    assert_int_equal(group_core_leave(&g, br_str_c("a"), br_str(NULL, 0), now, &fx), KW_UNKNOWN_MEMBER_ID);
    assert_int_equal(group_core_leave(&g, br_str_c("b"), br_str(NULL, 0), now, &fx), KW_NONE);
    assert_int_equal(g.state, GROUP_EMPTY);
    assert_true(persists());
    drop_effects();
}

static void test_full_group_refuses_one_more(void **state)
{
    (void)state;
    char id[8];
    for (int i = 0; i < 8; i++) {
        snprintf(id, sizeof id, "m%d", i);
        assert_int_equal(join("", NULL, i, id, false), KW_NONE);
    }
    assert_int_equal(join("", NULL, 9, "m9", false), KW_GROUP_MAX_SIZE_REACHED);
    drop_effects();
}

static void test_failed_persist_tells_the_members_and_starts_again(void **state)
{
    (void)state;
    assert_int_equal(join("", NULL, 0, "a", false), KW_NONE);
    now += 3000;
    group_core_tick(&g, now, &fx);
    drop_effects();
    assert_int_equal(sync("a", 1, 0, NULL, 0), KW_NONE);
    drop_effects();
    group_core_persisted(&g, KW_KAFKA_STORAGE_ERROR, now, &fx);
    assert_int_equal(effect_for(0)->error, KW_KAFKA_STORAGE_ERROR);
    assert_int_equal(g.state, GROUP_PREPARING);
    drop_effects();
}

static void test_stored_record_restores_the_same_group(void **state)
{
    (void)state;
    struct br_buf key, value;
    struct br_arena arena;
    struct group_record record;
    struct group_core copy;
    make_stable_pair();
    br_buf_init(&key, 4096);
    br_buf_init(&value, 4096);
    br_arena_init(&arena, 65536);
    group_record_group_key(br_str_c("grp"), &key);
    group_record_group_value(&g, 42, &value);
    assert_int_equal(group_record_parse(br_str((char *)key.data, key.len), br_str((char *)value.data, value.len), &arena, &record), BR_OK);
    assert_true(record.kind == GROUP_RECORD_GROUP && br_str_eq_c(record.group, "grp"));
    group_core_init(&copy, g.limits);
    group_record_restore(&copy, &record, now);
    group_core_check(&copy);
    assert_true(copy.state == GROUP_STABLE && copy.generation == 1 && strcmp(copy.leader, "a") == 0 && copy.state_since_ms == 42);
    assert_true(br_str_eq_c(group_core_member(&copy, br_str_c("b"))->assignment, "p1"));
    assert_int_equal(group_core_heartbeat(&copy, br_str_c("a"), br_str(NULL, 0), 1, now), KW_NONE);
    group_core_clear(&copy);
    br_arena_clear(&arena);
    br_buf_clear(&key);
    br_buf_clear(&value);
}

/* Random clients; every token must be answered or still be waiting in a member. K-1 ... K-5 after each step; in the end all settle (liveness). */
static void test_random_clients_keep_the_invariants_and_settle(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        struct br_rand r;
        br_rand_init(&r, seed);
        char ids[6][16] = {{0}};
        int next_id = 0;
        for (int step = 0; step < 300; step++) {
            int who = (int)br_rand_below(&r, 6);
            now += (int64_t)br_rand_below(&r, 4000);
            fx.count = 0;
            switch (br_rand_below(&r, 6)) {
            case 0:
            case 1: {
                char fresh[16];
                snprintf(fresh, sizeof fresh, "n%d", next_id++);
                enum kw_error e = join(ids[who], br_rand_chance(&r, 30) ? (who < 3 ? "i0" : "i1") : NULL, who, fresh, br_rand_chance(&r, 50));
                if (e == KW_MEMBER_ID_REQUIRED || (e == KW_NONE && !ids[who][0]))
                    memcpy(ids[who], fresh, sizeof fresh);
                else if (e != KW_NONE)
                    ids[who][0] = '\0';
                break;
            }
            case 2: group_core_heartbeat(&g, br_str_c(ids[who]), br_str(NULL, 0), g.generation, now); break;
            case 3: {
                struct group_assignment_in a = {br_str_c(ids[who]), br_str_c("x")};
                sync(ids[who], g.generation, who, &a, 1);
                break;
            }
            case 4:
                if (br_rand_chance(&r, 50))
                    group_core_leave(&g, br_str_c(ids[who]), br_str(NULL, 0), now, &fx);
                else
                    group_core_forget_token(&g, &tokens[who], now);
                break;
            case 5:
                if (g.is_persisting)
                    group_core_persisted(&g, br_rand_chance(&r, 80) ? KW_NONE : KW_NOT_COORDINATOR, now, &fx);
                break;
            }
            group_core_tick(&g, now, &fx);
            group_core_check(&g);
        }
        for (int i = 0; i < 200 && g.state != GROUP_EMPTY; i++) { /* all clients are gone: within bounded time nothing is left */
            fx.count = 0;
            if (g.is_persisting)
                group_core_persisted(&g, KW_NONE, now, &fx);
            for (int t = 0; t < 6; t++)
                group_core_forget_token(&g, &tokens[t], now);
            now += 5000;
            group_core_tick(&g, now, &fx);
            group_core_check(&g);
        }
        assert_int_equal(g.state, GROUP_EMPTY);
        teardown(NULL);
        setup(NULL);
    }
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
static const struct CMUnitTest tests[] = {
    T(test_first_join_is_asked_for_its_member_id),
    T(test_id_given_and_not_used_expires_with_the_session),
    T(test_a_delay_that_is_over_is_no_deadline_while_ids_are_out),
    T(test_initial_delay_gathers_members_into_one_generation),
    T(test_sync_waits_for_leader_and_for_the_log),
    T(test_heartbeat_answers_by_state),
    T(test_heartbeats_keep_a_member_through_a_slow_rebalance),
    T(test_member_that_does_not_rejoin_is_removed_at_the_timeout),
    T(test_member_that_does_not_sync_is_removed),
    T(test_lost_sockets_leave_by_their_session),
    T(test_follower_rejoin_with_same_metadata_changes_nothing),
    T(test_protocols_without_common_one_are_refused),
    T(test_static_member_comes_back_without_a_rebalance),
    T(test_commits_are_fenced_by_generation_and_state),
    T(test_leaving_starts_a_rebalance_and_the_last_one_empties_the_group),
    T(test_full_group_refuses_one_more),
    T(test_failed_persist_tells_the_members_and_starts_again),
    T(test_stored_record_restores_the_same_group),
    T(test_random_clients_keep_the_invariants_and_settle),
};
HARNESS_MAIN("group", tests)
