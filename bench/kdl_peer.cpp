#include "bench/kdl_peer.h"

#include <kdl/chain.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainiksolverpos_lma.hpp>
#include <kdl/chainiksolverpos_nr_jl.hpp>
#include <kdl/chainiksolvervel_pinv.hpp>

#include <time.h>

#include <memory>
#include <new>

struct kdl_Chain {
    KDL::Chain chain;
    KDL::JntArray lower, upper, q, next;
    std::unique_ptr<KDL::ChainFkSolverPos_recursive> forward;
    std::unique_ptr<KDL::ChainIkSolverVel_pinv> velocity;
    std::unique_ptr<KDL::ChainIkSolverPos_NR_JL> limited;
    std::unique_ptr<KDL::ChainIkSolverPos_LMA> marquardt;
};

static double seconds_now()
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

static KDL::Frame frame_of(const double *position, const double *rotation)
{
    return KDL::Frame(
        KDL::Rotation::Quaternion(rotation[0], rotation[1], rotation[2], rotation[3]),
        KDL::Vector(position[0], position[1], position[2]));
}

static void load(KDL::JntArray &array, const double *values)
{
    for (unsigned i = 0; i < array.rows(); ++i) { array(i) = values[i]; }
}

static void store(const KDL::JntArray &array, double *out_values)
{
    for (unsigned i = 0; i < array.rows(); ++i) { out_values[i] = array(i); }
}

static kdl_Chain *create(const kdl_Axis *axes, int axis_count, const double *tip_position,
    const double *tip_rotation, double tolerance, bool position_alone)
{
    std::unique_ptr<kdl_Chain> made(new kdl_Chain);
    const unsigned count = static_cast<unsigned>(axis_count);
    made->lower.resize(count);
    made->upper.resize(count);
    made->q.resize(count);
    made->next.resize(count);
    for (unsigned i = 0; i < count; ++i) {
        const KDL::Frame frame = frame_of(axes[i].position, axes[i].rotation);
        const double *d = axes[i].direction;
        const KDL::Vector axis = frame.M * KDL::Vector(d[0], d[1], d[2]);
        // as kdl_parser makes segments of URDF joints
        const KDL::Joint joint("", frame.p, axis,
            axes[i].slide ? KDL::Joint::TransAxis : KDL::Joint::RotAxis);
        const bool last = i + 1 == count;
        const KDL::Frame tip = last ? frame * frame_of(tip_position, tip_rotation) : frame;
        made->chain.addSegment(KDL::Segment(joint, tip));
        made->lower(i) = axes[i].lower;
        made->upper(i) = axes[i].upper;
    }
    made->forward.reset(new KDL::ChainFkSolverPos_recursive(made->chain));
    made->velocity.reset(new KDL::ChainIkSolverVel_pinv(made->chain));
    made->limited.reset(new KDL::ChainIkSolverPos_NR_JL(
        made->chain, made->lower, made->upper, *made->forward, *made->velocity, 1, tolerance));
    Eigen::Matrix<double, 6, 1> weights;
    const double turn = position_alone ? 0.0 : 1.0;
    weights << 1.0, 1.0, 1.0, turn, turn, turn;
    made->marquardt.reset(new KDL::ChainIkSolverPos_LMA(made->chain, weights, tolerance));
    return made.release();
}

// nothing thrown passes through C
extern "C" kdl_Chain *kdl_chain_create(const kdl_Axis *axes, int axis_count,
    const double *tip_position, const double *tip_rotation, double tolerance, bool position_alone)
{
    try {
        return create(axes, axis_count, tip_position, tip_rotation, tolerance, position_alone);
    } catch (...) {
        return nullptr;
    }
}

extern "C" void kdl_chain_destroy(kdl_Chain *chain)
{
    delete chain;
}

extern "C" kdl_Result kdl_solve_limited(kdl_Chain *chain, const double *start,
    const double *target_position, const double *target_rotation, double seconds, double *out_q)
{
    const KDL::Frame target = frame_of(target_position, target_rotation);
    kdl_Result result = { false, 0, 0.0 };
    load(chain->q, start);
    const double begin = seconds_now();
    do {
        result.claimed = chain->limited->CartToJnt(chain->q, target, chain->next) >= 0;
        chain->q = chain->next;
        ++result.iterations;
        result.time = seconds_now() - begin;
    } while (!result.claimed && result.time < seconds);
    store(chain->q, out_q);
    return result;
}

extern "C" kdl_Result kdl_solve_marquardt(kdl_Chain *chain, const double *start,
    const double *target_position, const double *target_rotation, double *out_q)
{
    const KDL::Frame target = frame_of(target_position, target_rotation);
    kdl_Result result = { false, 0, 0.0 };
    load(chain->q, start);
    const double begin = seconds_now();
    result.claimed = chain->marquardt->CartToJnt(chain->q, target, chain->next) >= 0;
    result.time = seconds_now() - begin;
    result.iterations = chain->marquardt->lastNrOfIter;
    store(chain->next, out_q);
    return result;
}

extern "C" void kdl_forward(
    kdl_Chain *chain, const double *q, double *out_position, double *out_rotation)
{
    KDL::Frame tip;
    load(chain->q, q);
    chain->forward->JntToCart(chain->q, tip);
    for (int k = 0; k < 3; ++k) { out_position[k] = tip.p(k); }
    tip.M.GetQuaternion(out_rotation[0], out_rotation[1], out_rotation[2], out_rotation[3]);
}
